"""A line to a server on which things go wrong as a test wants it."""

import socket
import struct
import threading
import time

FULL = (
    b"HTTP/1.1 507 Insufficient Storage\r\nContent-Type: application/xml\r\nContent-Length: %d\r\n"
    b"Connection: close\r\n\r\n%s"
)
REASON = b"<Error><Code>XMinioStorageFull</Code><Message>no room</Message></Error>"


class FaultyLine:
    """Passes connections on to a port; `mode` is what happens to them from now on.

    passed, refused, hung (nothing comes back), slow (each part takes 50 ms), corrupted (bits of
    answers are flipped), full (HTTP requests that write are answered with 507).
    """

    def __init__(self, port):
        self._port = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._open = set()
        self._mode = "passed"
        self._count = 0
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def mode(self):
        return self._mode

    @mode.setter
    def mode(self, mode):
        self._mode = mode
        for line in list(self._open):  # those that are open had another one
            _cut(line)

    def close(self):
        self._listener.close()
        self.mode = "refused"

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self._mode == "refused":
                _cut(client)
                continue
            server = socket.create_connection(("127.0.0.1", self._port))
            self._open |= {client, server}
            for source, target, answers in ((client, server, False), (server, client, True)):
                threading.Thread(
                    target=self._pass, args=(source, target, answers), daemon=True
                ).start()

    def _pass(self, source, target, answers):
        try:
            while data := source.recv(65536):
                if self._mode == "hung":
                    continue
                if self._mode == "slow":
                    time.sleep(0.05)
                if self._mode == "full" and not answers and data[:4] in (b"PUT ", b"POST"):
                    if b"?delete" in data.split(b"\r\n", 1)[0]:
                        target.sendall(data)
                        continue
                    source.sendall(FULL % (len(REASON), REASON))
                    break
                if self._mode == "corrupted" and answers:
                    data = self._flipped(data)
                target.sendall(data)
        except OSError:
            pass
        finally:
            for line in (source, target):
                self._open.discard(line)
                _cut(line)

    def _flipped(self, data):
        """A bit of what follows an HTTP head, or of anything else, is another one."""
        head = data.find(b"\r\n\r\n") + 4 if data.startswith(b"HTTP/") else 0
        if head >= len(data):
            return data
        self._count += 1
        place = head + self._count * 7919 % (len(data) - head)
        return data[:place] + bytes([data[place] ^ 1 << self._count % 8]) + data[place + 1 :]


def _cut(line):
    try:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    line.close()
