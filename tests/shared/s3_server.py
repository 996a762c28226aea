"""A server that speaks S3, in a process of its own, for tests."""

import os
import re
import subprocess
import sys
from pathlib import Path

from pyarrow import fs

SERVER = """
import sys
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
sys.stdin.read()
server.stop()
"""

ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "nobody",
    "AWS_SECRET_ACCESS_KEY": "nothing",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}


class S3:
    """Ends with its standard input; what it keeps is in its memory.

    With the path of a `log` it writes a line there for each request.
    """

    def __init__(self, log=None):
        os.environ.update(ENVIRONMENT)
        self.log = log
        with (log or Path(os.devnull)).open("wb") as written:
            self._process = subprocess.Popen(
                [sys.executable, "-c", SERVER],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=written,
                text=True,
            )
        port = self._process.stdout.readline().strip()
        self.options = f"endpoint_override=http://127.0.0.1:{port}&scheme=http"
        files, _ = fs.FileSystem.from_uri(f"s3://rowen?{self.options}&allow_bucket_creation=true")
        files.create_dir("rowen")

    def uri(self, name):
        return f"s3://rowen/{name}?{self.options}"

    def requests(self):
        """The method and the address of each request so far."""
        return re.findall(r'"([A-Z]+) (\S+) HTTP', self.log.read_text())

    def end(self):
        self._process.communicate()
