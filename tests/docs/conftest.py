from browser_fixtures import chromium

__all__ = ["chromium"]
