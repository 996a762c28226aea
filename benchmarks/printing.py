"""HTML printed to PDF by Chromium, for benchmarks of papers in layouts made up for them."""

import shutil
import subprocess
import tempfile
from pathlib import Path


def can_print() -> bool:
    """Whether Chromium is installed."""
    return shutil.which("chromium") is not None


def printed(html: str) -> bytes:
    """A page of HTML as a PDF."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "page.html").write_text(html, encoding="utf-8")
        subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
             f"--user-data-dir={folder / 'profile'}", f"--print-to-pdf={folder / 'page.pdf'}",
             (folder / "page.html").as_uri()],
            check=True, capture_output=True, timeout=120,
        )  # fmt: skip
        return (folder / "page.pdf").read_bytes()
