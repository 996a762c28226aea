"""Wrappers as Scrapy spiders with an item loader."""

from string import Template

from rowen.programs.python import to_python
from rowen.wrappers.base import Wrapper

_IMPORTS = """
from itemloaders import ItemLoader
from itemloaders.processors import Identity, TakeFirst
from scrapy import Spider
"""

_SPIDER = Template('''

class Loader(ItemLoader):
    """Takes the values as they are; add processors for single fields as FIELD_in and FIELD_out."""

    default_item_class = dict
    default_output_processor = TakeFirst()


def load(record: Record, fields: dict[str, Any]) -> Any:
    """A record as an item; a field that is missing is left out, a list is not."""
    loader = Loader()
    for name, value in record.items():
        field = fields.get(name, {})
        if isinstance(value, list):
            # A list stays one, also of a single value.
            setattr(loader, f"{name}_out", Identity())
            inner = fields if name == "children" else field.get("fields", {})
            # Records are mappings without a type; prices have one.
            if "type" not in field:
                value = [load(each, inner) if isinstance(each, dict) else each for each in value]
        loader.add_value(name, value)
    return loader.load_item() | {name: [] for name, value in record.items() if value == []}


class WrapperSpider(Spider):
    name = $name
    start_urls: list[str] = []

    def parse(self, response: Any) -> Any:
        for record in extract(response.text, response.url):
            yield load(record, FIELDS)
''')


def to_scrapy(wrapper: Wrapper) -> str:
    """A module with the wrapper's function, an item loader and a spider; needs Scrapy alone."""
    # The same module as for Python, so that the spider's records are the wrapper's.
    module = to_python(wrapper, other_imports=_IMPORTS)
    return module + _SPIDER.substitute(name=repr(wrapper.name))
