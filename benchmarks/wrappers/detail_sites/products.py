"""Sites of products and recipes: sale prices, specifications in any order, offers of merchants."""

from random import Random

from benchmarks.wrappers.detail_sites.page import (
    Writer,
    advert,
    mark,
    maybe,
    person,
    sentences,
    shuffled,
)

MAKERS = ("Canon", "Nikon", "Sony", "Fujifilm", "Canon", "Leica")
FOODS = "flour|sugar|eggs|butter|milk|salt|yeast|honey|oats|raisins".split("|")


def _model(chance: Random, maker: str) -> str:
    return f"{maker} {chance.choice('ADGX')}{chance.randint(10, 990)} {chance.choice(('Kit', 'Digital Camera', 'Body', 'Black'))}"


def _price(chance: Random) -> str:
    return f"${chance.randint(80, 1900)}.{chance.choice(('00', '95', '99'))}"


def shop(chance: Random) -> str:
    """A sale price or a plain one, specifications in any order, related items with prices."""
    maker = chance.choice(MAKERS)
    price = (
        f"<span class='old'>{_price(chance)}</span> <span class='now'>{mark('price', _price(chance))}</span>"
        if chance.random() < 0.35
        else f"<span class='now'>{mark('price', _price(chance))}</span>"
    )
    rows = [
        f"<tr><td>Manufacturer</td><td>{mark('maker', maker)}</td></tr>",
        f"<tr><td>Sensor</td><td>{chance.choice(('CMOS', 'CCD'))}</td></tr>",
        f"<tr><td>Zoom</td><td>{chance.randint(3, 20)}x</td></tr>",
        f"<tr><td>Megapixels</td><td>{mark('pixels', str(chance.randint(8, 60)))}</td></tr>",
        f"<tr><td>Weight</td><td>{chance.randint(200, 900)} g</td></tr>",
    ]
    related = "".join(
        f"<div class='item'><a href='/p/{chance.randint(1, 99)}'>{_model(chance, chance.choice(MAKERS))}</a><span class='now'>{_price(chance)}</span></div>"
        for _ in range(3)
    )
    model = _model(chance, maker)
    return f"""<html><head><title>{model} at Lens Shop</title></head><body><div id="crumbs"><a>Home</a> / <a>Cameras</a> / <a>{maker}</a></div>
<div class="product"><h1>{mark("model", model)}</h1>{maybe(chance, 0.4, "<div class='badge'>Free shipping</div>")}
<div class="buy">{price}<button>Add</button></div></div>
<h2>Specifications</h2><table>{shuffled(chance, rows)}</table>{maybe(chance, 0.5, advert(chance))}
<h2>Related</h2>{related}</body></html>"""


def compare(chance: Random) -> str:
    """Labels in spans with the value in the text after them; several merchants' prices."""
    maker = chance.choice(MAKERS)
    offers = "".join(
        f"<tr><td><a href='/m/{number}'>{person(chance).split()[1]} Photo</a></td><td><b>{_price(chance)}</b></td></tr>"
        for number in range(chance.randint(1, 4))
    )
    return f"""<html><head><title>Compare</title></head><body><div class="hd"><b>Compare prices</b></div>
<div class="box"><b>{mark("model", _model(chance, maker))}</b><br>
<span class="k">Brand:</span> {mark("maker", maker)}<br>{maybe(chance, 0.6, f'<span class="k">Color:</span> {chance.choice(("Black", "Silver"))}<br>')}
<span class="k">Resolution:</span> {mark("pixels", str(chance.randint(8, 60)))} megapixels<br>
<span class="k">Lowest price:</span> <b>{mark("price", _price(chance))}</b>{maybe(chance, 0.5, " + tax")}</div>
<table>{offers}</table></body></html>"""


def grid(chance: Random) -> str:
    """Bootstrap rows of labels and values; without stock there is no price."""
    maker = chance.choice(MAKERS)
    rows = [
        f'<div class="row"><div class="col-4">Brand</div><div class="col-8">{mark("maker", maker)}</div></div>',
        f'<div class="row"><div class="col-4">Model</div><div class="col-8">{mark("model", _model(chance, maker))}</div></div>',
        maybe(
            chance,
            0.7,
            f'<div class="row"><div class="col-4">Mount</div><div class="col-8">{chance.choice(("EF", "F", "E"))}</div></div>',
        ),
        f'<div class="row"><div class="col-4">Resolution</div><div class="col-8">{mark("pixels", str(chance.randint(8, 60)))} MP</div></div>',
    ]
    price = (
        f'<p class="lead">Our price: <strong>{mark("price", _price(chance))}</strong></p>'
        if chance.random() < 0.75
        else '<p class="lead">Out of stock: <strong>ask us</strong></p>'
    )
    return f"""<!doctype html><html><head><title>Photo Depot</title></head><body><div class="container"><h1>Photo Depot</h1>
<div class="row"><div class="col-4">Search</div><div class="col-8"><input name="q"></div></div>
{price}{"".join(rows)}<p>{sentences(chance, 2)}</p>
<div class="row"><div class="col-4">Accessories</div><div class="col-8">Bag {_price(chance)}</div></div></div></body></html>"""


def recipe(chance: Random) -> str:
    """Ingredients in any number, times inside one text, a cook who is missing sometimes."""
    foods = chance.sample(FOODS, chance.randint(3, 6))
    items = "".join(
        f"<li>{mark('ingredient', f'{chance.randint(1, 9)} cups {food}')}</li>" for food in foods
    )
    cook = maybe(chance, 0.7, f"<p>By <span>{mark('cook', person(chance))}</span></p>")
    return f"""<!doctype html><html><head><title>Recipe</title></head><body><ul class="menu"><li>Soups</li><li>Cakes</li></ul>
<h1>{mark("title", f"{foods[0].capitalize()} and {foods[1]} {chance.choice(('cake', 'bread', 'bars'))}")}</h1>{cook}
{maybe(chance, 0.4, advert(chance))}
<p>Prep: {mark("prep", f"{chance.randint(5, 40)} min")} &bull; Bake: {chance.randint(10, 90)} min &bull; Serves {mark("serves", str(chance.randint(2, 12)))}</p>
<h2>Ingredients</h2><ul>{items}</ul><h2>Method</h2><ol>{"".join(f"<li>{sentences(chance, 1)}</li>" for _ in range(3))}</ol></body></html>"""


SITES: dict[str, Writer] = {"shop": shop, "compare": compare, "grid": grid, "recipe": recipe}
