"""Chromium without a window, driven over a pipe: real movements of the mouse and real keys."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import shutil
import signal
import time
from pathlib import Path
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
_SECONDS = 60


def found() -> str | None:
    """The path of a Chromium, None where there is none."""
    return next((path for path in map(shutil.which, NAMES) if path is not None), None)


class Browser:
    """One page at a time; to be used in a ``with``."""

    def __init__(self, program: str, folder: Path) -> None:
        to_child, self._out = os.pipe()
        self._in, from_child = os.pipe()
        os.set_blocking(self._in, False)
        options = (
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--remote-debugging-pipe",
            f"--user-data-dir={folder}",
        )
        # Chromium reads from descriptor 3 and writes to 4; the pipe's own must not stand there before.
        ends = [fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, 10) for each in (to_child, from_child)]
        nowhere = os.open(os.devnull, os.O_RDWR)
        places = [(nowhere, 1), (nowhere, 2), (ends[0], 3), (ends[1], 4)]
        self._process = os.posix_spawn(
            program,
            [program, *options, "about:blank"],
            os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, own, its) for own, its in places],
        )
        for each in (to_child, from_child, *ends, nowhere):
            os.close(each)
        self._received = b""
        self._number = 0
        self._session: str | None = None
        self.requested: list[str] = []
        """Addresses that the page has asked for."""
        pages = self._call("Target.getTargets")["targetInfos"]
        page = next(each["targetId"] for each in pages if each["type"] == "page")
        self._session = self._call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime"):
            self._call(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        os.close(self._in)
        os.close(self._out)

    def open(self, path: Path, width: int, height: int, scheme: str = "light") -> None:
        """Show a file in a window of such a size, light or dark."""
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        self._call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self._call("Page.navigate", url=path.as_uri())
        self._wait_for("document.readyState === 'complete'")

    def value(self, expression: str) -> Any:
        """What an expression of the page's is."""
        result = self._call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def point_at(self, selector: str) -> None:
        """Move the mouse to the middle of what is seen of an element."""
        place = self.value(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            " e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            " return [r.left + 20, r.top + r.height / 2]; })()"
        )
        self._call("Input.dispatchMouseEvent", type="mouseMoved", x=place[0], y=place[1])

    def press(self, key: str) -> None:
        """Press and release a key."""
        for kind in ("keyDown", "keyUp"):
            codes = {"Tab": 9, "ArrowDown": 40, "ArrowUp": 38}
            self._call(
                "Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=codes[key]
            )

    def picture(self, path: Path) -> None:
        """Save what is seen, as PNG."""
        path.write_bytes(base64.b64decode(self._call("Page.captureScreenshot", format="png")["data"]))

    def _wait_for(self, expression: str) -> None:
        deadline = time.monotonic() + _SECONDS
        while not self.value(expression):
            assert time.monotonic() < deadline, expression
            time.sleep(0.02)

    def _call(self, method: str, **parameters: Any) -> Any:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("method") == "Network.requestWillBeSent":
                self.requested.append(answer["params"]["request"]["url"])
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]

    def _message(self) -> Any:
        deadline = time.monotonic() + _SECONDS
        while b"\0" not in self._received:
            assert time.monotonic() < deadline, "Chromium does not answer"
            try:
                received = os.read(self._in, 1 << 20)
            except BlockingIOError:
                time.sleep(0.01)
                continue
            assert received, "Chromium has ended"
            self._received += received
        first, _, self._received = self._received.partition(b"\0")
        return json.loads(first)
