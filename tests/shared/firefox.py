"""Firefox, driven by WebDriver BiDi. Playwright drives only its own builds of Firefox."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import threading
import time

from tornado.websocket import websocket_connect

SECONDS = 60
"""How long a step may take on a busy machine."""
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004"}


def firefox():
    """The path of a Firefox; None if there is none."""
    named = os.environ.get("ROWEN_FIREFOX")
    return named or shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """A window of Firefox without a screen."""

    def __init__(self, path, profile):
        self._socket = None
        self._numbers = iter(range(1, 1_000_000))
        self._log = profile.with_suffix(".log")
        profile.mkdir()
        # It must not look for updates and the like while tests run.
        settings = {"app.normandy.enabled": False, "browser.shell.checkDefaultBrowser": False}
        lines = (
            f"user_pref({json.dumps(name)}, {json.dumps(on)});\n" for name, on in settings.items()
        )
        (profile / "user.js").write_text("".join(lines))
        options = [
            "--headless",
            "--no-remote",
            "--profile",
            str(profile),
            "--remote-debugging-port",
            "0",
        ]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen([path, *options], stdout=log, stderr=log)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        try:
            self._socket = self._run(websocket_connect, f"{self._address()}/session")
            self.command("session.new", capabilities={})
            (tree, *_) = self.command("browsingContext.getTree")["contexts"]
        except BaseException:
            self.end()
            raise
        self.window = tree["context"]
        size = {"width": 1280, "height": 800}
        self.command("browsingContext.setViewport", context=self.window, viewport=size)

    def _address(self):
        end = time.monotonic() + SECONDS
        while (match := re.search(r"ws://\S+", self._log.read_text("utf-8", "replace"))) is None:
            assert self._process.poll() is None, self._log.read_text("utf-8", "replace")
            assert time.monotonic() < end, "Firefox does not start"
            time.sleep(0.05)
        return match[0]

    def _run(self, call, *arguments):
        """Call a function of the connection in its loop."""

        async def awaited():
            return await asyncio.wait_for(call(*arguments), SECONDS)

        return asyncio.run_coroutine_threadsafe(awaited(), self._loop).result()

    def command(self, method, **parameters):
        """Send a command; its result."""
        number = next(self._numbers)
        message = json.dumps({"id": number, "method": method, "params": parameters})
        self._run(self._socket.write_message, message)
        while True:
            answer = json.loads(self._run(self._socket.read_message))
            if answer.get("id") == number:
                assert answer["type"] == "success", answer
                return answer["result"]

    def open(self, url):
        self.command("browsingContext.navigate", context=self.window, url=url, wait="complete")

    def evaluate(self, script):
        """The value of an expression of JavaScript, which must be JSON."""
        result = self.command(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({script})))()",
            target={"context": self.window},
            awaitPromise=True,
        )
        assert result["type"] == "success", result["exceptionDetails"]["text"]
        value = result["result"].get("value")
        return None if value is None else json.loads(value)

    def wait_for(self, script):
        """Wait until an expression is true; its value."""
        end = time.monotonic() + SECONDS
        while not (value := self.evaluate(script)):
            assert time.monotonic() < end, script
            time.sleep(0.05)
        return value

    def click(self, selector):
        """Click an element with the mouse."""
        box = f"document.querySelector({json.dumps(selector)}).getBoundingClientRect()"
        self.wait_for(f"document.querySelector({json.dumps(selector)})?.checkVisibility()")
        x, y = self.evaluate(
            f"(({{ x, y, width, height }}) => [x + width / 2, y + height / 2])({box})"
        )
        self.drag(x, x, y)

    def drag(self, left, right, y):
        """Press the mouse at one place, and release it at another."""
        steps = [
            {"type": "pointerMove", "x": round(left), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            *({"type": "pointerMove", "x": round(x), "y": round(y)} for x in _between(left, right)),
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "actions": steps}
        self.command("input.performActions", context=self.window, actions=[mouse])

    def type(self, *texts):
        """Press keys: characters, or the names of keys."""
        signs = [KEYS[text]] if (text := texts[0]) in KEYS else list(text)
        steps = [{"type": kind, "value": sign} for sign in signs for kind in ("keyDown", "keyUp")]
        keys = {"type": "key", "id": "keys", "actions": steps}
        self.command("input.performActions", context=self.window, actions=[keys])
        if texts[1:]:
            self.type(*texts[1:])

    def end(self):
        """Close the browser."""
        self._process.kill()
        self._process.wait(SECONDS)
        if self._socket is not None:
            self._loop.call_soon_threadsafe(self._socket.close)
            while self._run(self._socket.read_message) is not None:
                pass  # until the end of the connection
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(SECONDS)
        self._loop.close()


def _between(left, right):
    return [left + (right - left) * part / 4 for part in range(1, 5)] if left != right else []
