"""Wrappers as Scrapy spiders with an item loader."""

from string import Template

from rowen.wrappers.base import Wrapper
from rowen.wrappers.exporting.python import to_python

_IMPORTS = """
from itemloaders import ItemLoader
from itemloaders.processors import Identity, MapCompose
from scrapy import Spider
"""

_SPIDER = Template('''

def one_or_all(values: list[Any]) -> Any:
    """What a field is in an item: its value, or a list where it has several."""
    return values[0] if len(values) == 1 else values


class Loader(ItemLoader):
    """Cleans the values; add processors for single fields as FIELD_in and FIELD_out."""

    default_item_class = dict
    default_input_processor = MapCompose(str.strip)
    default_output_processor = staticmethod(one_or_all)
    children_in = Identity()
    children_out = Identity()


def load(record: Record) -> Any:
    """A record as an item; a field that is missing is left out."""
    loader = Loader()
    for field, value in record.items():
        children = field == "children"
        loader.add_value(field, [load(child) for child in value] if children else value)
    return loader.load_item()


class WrapperSpider(Spider):
    name = $name
    start_urls: list[str] = []

    def parse(self, response: Any) -> Any:
        for record in extract(response.text):
            yield load(record)
''')


def to_scrapy(wrapper: Wrapper) -> str:
    """A module with the wrapper's function, an item loader and a spider; needs Scrapy alone."""
    module = to_python(wrapper, other_imports=_IMPORTS)
    return module + _SPIDER.substitute(name=repr(wrapper.name))
