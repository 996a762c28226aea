"""A PostgreSQL server for the tests, from Debian's package."""

import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


@contextmanager
def postgres_server():
    """A server on a socket in a folder of its own; gives that folder."""
    folder = Path(tempfile.mkdtemp(prefix="rowen-pg-"))
    # The server refuses to run as root.
    owner = "postgres" if os.getuid() == 0 else None
    if owner is not None:
        shutil.chown(folder, owner)
    folder.chmod(0o755)
    programs = PROGRAMS[-1]

    def call(*command):
        subprocess.run(command, check=True, user=owner, cwd=folder, capture_output=True)

    data = folder / "data"
    call(programs / "initdb", "-D", data, "-U", "rowen", "-A", "trust", "-N", "-E", "UTF8")
    options = f"-k {folder} -c listen_addresses='' -c fsync=off -c shared_buffers=16MB"
    call(programs / "pg_ctl", "-D", data, "-w", "-o", options, "-l", folder / "log", "start")
    try:
        yield folder
    finally:
        call(programs / "pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
        shutil.rmtree(folder)
