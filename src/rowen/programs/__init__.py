"""Wrappers in other forms: Python, Scrapy, regular expressions, XPath, CSS selectors."""
