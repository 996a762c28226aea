"""Settings of the project: see https://docs.scrapy.org for all others."""

BOT_NAME = "books"
SPIDER_MODULES = ["books.spiders"]
ROBOTSTXT_OBEY = True
AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_START_DELAY = 0.1

# The wrapper: rowen learn pages/ --labels labels.jsonl -o books.json
ROWEN_WRAPPER = "books.json"
# When the site has changed so that the wrapper no longer fits: stop, mark or ignore.
ROWEN_ON_DRIFT = "stop"
ROWEN_DRIFT_PAGES = 3
