"""`msmqctl transaction`: what is open or in doubt."""

from __future__ import annotations

from typing import Annotated

import typer

from msmqctl.cli.group import Group
from msmqctl.cli.options import changes
from msmqctl.cli.render import Columns
from msmqctl.cli.session import session
from msmqctl.ops import transactions
from msmqctl.ops.local import local_manager
from msmqctl.ops.transactions import TransactionRow

app = typer.Typer(cls=Group, add_completion=False)

TRANSACTION = Columns(TransactionRow)

Identifier = Annotated[str, typer.Argument(metavar="ID", help="Which transaction: its id, or a beginning of it that no other has.")]


@app.callback()
def transaction() -> None:
    """Show transactions that have not ended, and decide over one that is in doubt."""


@app.command("list")
def list_transactions(ctx: typer.Context) -> None:
    """List the transactions that have not ended: state, what they did, in which queues, and since when.

    One that is in doubt was prepared for a coordinator, which has not told its decision. What it sent and received is held until then.

    Examples:
      msmqctl transaction list
      msmqctl transaction list --columns id,state,operations -o csv
    """
    with session(ctx) as s, local_manager(s.settings.store) as ask:
        s.render(ask(transactions.list_transactions), columns=TRANSACTION)


@app.command()
@changes
def commit(ctx: typer.Context, identifier: Identifier) -> None:
    """Commit a transaction that is in doubt, in place of its coordinator.

    What it sent can be received then, and what it received is gone. Other computers that take part in it hear nothing of this.

    Examples:
      msmqctl transaction commit 5e1fa5e0 --yes   # exit 66
    """
    with session(ctx) as s, local_manager(s.settings.store) as ask:
        found = ask(transactions.show_doubted, identifier)
        if s.proceed(f"commit the transaction {found.id} with {_count(found)}"):
            s.tell(ask(transactions.commit_transaction, identifier), TRANSACTION, f"transaction {found.id} committed.")


@app.command()
@changes
def abort(ctx: typer.Context, identifier: Identifier) -> None:
    """Abort a transaction that is in doubt, in place of its coordinator.

    What it sent is gone then, and what it received is back in its queue. Other computers that take part in it hear nothing of this.

    Examples:
      msmqctl transaction abort 5e1fa5e0 --yes   # exit 66
    """
    with session(ctx) as s, local_manager(s.settings.store) as ask:
        found = ask(transactions.show_doubted, identifier)
        if s.proceed(f"abort the transaction {found.id} with {_count(found)}"):
            s.tell(ask(transactions.abort_transaction, identifier), TRANSACTION, f"transaction {found.id} aborted.")


def _count(row: TransactionRow) -> str:
    return "1 operation" if row.operations == 1 else f"{row.operations} operations"
