"""A Scrapy project that extracts with a wrapper of Rowen."""
