"""`msmqctl serve`: own the store for as long as the process lives."""

from __future__ import annotations

import signal
import threading
from types import FrameType

import typer

from msmqctl.cli.render import Columns, escape
from msmqctl.cli.session import session
from msmqctl.ops.serving import Serving, serve

app = typer.Typer(add_completion=False)

SERVING = Columns(Serving)
# Some systems do not let a signal end a wait without limit.
_WAIT_SECONDS = 1.0


@app.command("serve")
def serve_command(ctx: typer.Context) -> None:
    """Own the store and do the work of other commands, until stopped.

    While it runs, every command on local queues works as before, through it: several at once, and readers that wait are woken
    by what others send. One line on standard output says that it is ready. SIGTERM or Ctrl-C stops it when the calls under
    way have ended; reads that wait are ended then.

    Examples:
      msmqctl serve & sleep 2; msmqctl queue create orders; kill $!
      msmqctl serve -o json & sleep 2; msmqctl queue list; kill $!
      msmqctl serve --store ./b.db & sleep 2; msmqctl queue list; kill $!
    """
    stop = threading.Event()

    def stopped(number: int, frame: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, stopped) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        with session(ctx) as s, serve(s.settings.store) as serving:
            s.show(serving, columns=SERVING, text=f"serving {escape(serving.store)} as {escape(serving.computer)}")
            s.flush()
            while not stop.wait(_WAIT_SECONDS):
                pass
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
