"""Wrappers in other people's words: Python, Scrapy, regular expressions, XPath."""
