"""A command on a terminal of its own, as people see it."""

import os
import pty
import subprocess
import sys
from contextlib import suppress


def watch(folder, *arguments, until=b"", send=None):
    """What a command shows there, and its exit code; a signal is sent when it shows `until`."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "rowen", *arguments]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # the other end is closed
            while more := os.read(ours, 1 << 16):
                shown += more
                if send is not None and until in shown:
                    process.send_signal(send)
                    send = None
    os.close(ours)
    return shown, process.returncode
