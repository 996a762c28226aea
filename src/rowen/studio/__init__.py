"""The studio: mark pages in the browser, learn a wrapper, correct and publish it."""
