"""Where our files are: configuration, store and cache, in the user's own folders. Nothing is created here."""

from __future__ import annotations

import os
from pathlib import Path


def config_folder() -> Path:
    """Contexts and the name of the selected one."""
    if given := os.environ.get("MSMQCTL_CONFIG_HOME"):
        return Path(given)
    from platformdirs import user_config_path

    return user_config_path("msmqctl", appauthor=False)


def default_store() -> Path:
    """The store, unless a flag, the environment or a context names another."""
    from platformdirs import user_data_path

    return user_data_path("msmqctl", appauthor=False) / "store.db"


def cache_folder() -> Path:
    """What can be made again."""
    from platformdirs import user_cache_path

    return user_cache_path("msmqctl", appauthor=False)
