"""Ten pages in the ways in which modern sites lay out theirs, and a server with their files.

What is compared has an id. Texts are short and sizes mostly fixed, because only the layout counts.
"""

import base64
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from captures import png

DOT = base64.b64encode(png((10, 90, 160), 8, 8)).decode()
RESET = "*{box-sizing:border-box}body{margin:0;font:16px/1.5 'DejaVu Sans',sans-serif}"
ITEMS = "".join(
    f"<article id=a{n} class=card><h2 id=h{n}>Card {n}</h2><p id=p{n}>Text {n}</p></article>"
    for n in range(1, 7)
)

LAYOUTS = {
    "grid": (
        f"<style>{RESET}:root{{--gap:18px;--tint:oklch(70% .1 200)}}"
        "main{display:grid;gap:var(--gap);grid-template-columns:repeat(auto-fill,minmax(180px,1fr))}"
        ".card{padding:calc(var(--gap)/2);background:var(--tint,red);border-radius:8px}"
        ".card:nth-child(3n+1){grid-column:span 2}</style>"
        f"<main id=main>{ITEMS}</main>"
    ),
    "flex": (
        f"<style>{RESET}header{{display:flex;justify-content:space-between;align-items:center;"
        "height:64px;padding:0 20px;background:#223;color:#fff;position:sticky;top:0}"
        "ul{display:flex;gap:24px;list-style:none;margin:0;padding:0}"
        ".row{display:flex;flex-wrap:wrap-reverse}.row>*{flex:1 1 220px;order:2}"
        "#a4{order:1;flex-grow:3}</style><header id=head><b id=brand>Brand</b><ul id=menu>"
        "<li id=l1><a href=/a>One</a><li id=l2><a href=/b>Two</a></ul></header>"
        f"<div class=row id=row>{ITEMS}</div>"
    ),
    "areas": (
        f"<style>{RESET}#page{{display:grid;min-height:500px;grid:'h h h' 70px 'n m s' 1fr "
        "'f f f' 40px / 150px 1fr 120px}#h{grid-area:h}#n{grid-area:n}#m{grid-area:m}"
        "#s{grid-area:s}#f{grid-area:f;background:rgb(30 60 90 / 50%)}"
        "@media (max-width:3000px){#s{padding-top:30px}}"
        "@media (min-width:3001px){#s{display:none}}@media print{#page{display:none}}</style>"
        "<div id=page><header id=h>Head</header><nav id=n>Menu</nav><main id=m><h1 id=t>Title"
        "</h1></main><aside id=s>Side</aside><footer id=f>Foot</footer></div>"
    ),
    "imports": (
        "<link rel=stylesheet href=/css/base.css><link rel=stylesheet media='(width<9px)' "
        "href=/css/narrow.css><div id=box class=box><h1 id=t>Imported</h1><p id=p>Text</p></div>"
    ),
    "nested": (
        f"<style>{RESET}@layer low,high;@layer high{{#p1{{margin-top:21px}}}}"
        "@layer low{#p1{margin-top:90px}}"
        "@supports (display:grid){.card{display:grid;grid-template-rows:50px 40px;"
        "& h2{margin:0;font-size:20px}&:first-child{margin-left:60px}> p{padding-left:33px}}}"
        "@supports (display:nothing){.card{display:none}}"
        "main{container-type:inline-size}@container (min-width:200px){.card{margin-top:14px}}"
        ".card:has(#p2){width:50%}:is(#a3,#a5) h2{padding-left:44px}</style>"
        f"<main id=main>{ITEMS}</main>"
    ),
    "images": (
        f"<style>{RESET}figure{{margin:10px;display:inline-block;width:200px}}"
        "figure img{width:100%;aspect-ratio:2/1;object-fit:cover;display:block}"
        f"#bg{{height:50px;background:url(data:image/png;base64,{DOT}) repeat-x}}"
        "#shaped{width:90px;height:90px;border-radius:50%;overflow:hidden;"
        "background:url(/img/wide.png) center/cover}</style><figure id=f1><img id=i1 "
        "srcset='/img/one.png 1x, /img/two.png 2x' src=/img/one.png><figcaption id=c1>One"
        "</figcaption></figure><figure id=f2><picture><source srcset=/img/two.png "
        "media='(min-width:1px)'><img id=i2 src=/img/one.png></picture></figure>"
        f"<img id=i3 src='data:image/png;base64,{DOT}' width=40 height=30><div id=bg></div>"
        "<div id=shaped></div>"
    ),
    "svg": (
        f"<style>{RESET}.icon{{width:32px;height:32px;fill:currentColor;color:#b03060}}"
        "#line{display:flex;gap:12px;align-items:center}#after::after{content:'';display:block;"
        "height:25px;background:linear-gradient(90deg,#123,#89a)}</style><div id=line>"
        "<svg id=s1 class=icon viewBox='0 0 10 10'><path d='M0 0h10v10z'/></svg><span id=w>Words"
        "</span><svg id=s2 width=80 height=20><defs><linearGradient id=g><stop offset=0 "
        "stop-color=red /></linearGradient></defs><rect id=r width=60 height=12 fill=url(#g) />"
        "</svg></div><div id=after>Line</div><p id=p>Below</p>"
    ),
    "rtl": (
        f"<html dir=rtl lang=he><style>{RESET}body{{padding-inline-start:40px}}nav{{float:inline-"
        "start;width:180px;border-inline-end:4px solid}main{margin-inline-start:200px}"
        "#in{inset-inline-start:10px;position:absolute;top:300px;width:120px}</style>"
        "<nav id=n>תפריט</nav><main id=m><h1 id=t>שלום עולם</h1><p id=p>טקסט <bdi id=b>abc</bdi>"
        "</p><table id=tab><tr><td id=d1 width=90>א<td id=d2 width=60>ב</table></main>"
        "<div id=in>בפנים</div>"
    ),
    "dark": (
        f"<style>{RESET}:root{{color-scheme:light dark;--paper:#fff;--ink:#111;--pad:10px}}"
        "@media (prefers-color-scheme:dark){:root{--paper:#111418;--ink:#eee;--pad:30px}}"
        "body{background:var(--paper);color:var(--ink);padding:var(--pad)}"
        "h1{color:light-dark(rgb(1,90,60),rgb(120,220,190))}</style>"
        f"<h1 id=t>Scheme</h1><p id=p>Text</p><main id=main>{ITEMS}</main>"
    ),
    "columns": (
        f"<style>{RESET}#text{{columns:3 120px;column-gap:30px;width:min(100%,600px)}}"
        "h1{font-size:clamp(20px,5vw,44px);margin:0 0 calc(1rem + 2px)}"
        "#badge{position:absolute;right:20px;top:12px;width:60px;height:24px;"
        "transform:rotate(4deg)}#card{position:relative;margin-top:40px;height:120px;"
        "writing-mode:vertical-rl}dl{display:grid;grid-template-columns:max-content 1fr}"
        "@font-face{font-family:Own;src:url(/own.woff2)}</style><h1 id=t>Columns</h1>"
        "<div id=text><p id=p1>One</p><p id=p2>Two</p><p id=p3>Three</p></div>"
        "<div id=card><span id=badge>New</span><b id=v>Down</b></div>"
        "<dl id=dl><dt id=dt>Year<dd id=dd>1872<dt>Pages<dd id=d2>310</dl>"
        "<details open id=det><summary id=sum>More</summary><p id=dp>Inside</p></details>"
    ),
}
"""The body of each page, with its styles, by name."""

BASE = (
    b"@charset 'utf-8';@import url(parts/box.css) layer(x);@import 'parts/wide.css' (width>9px);"
    b"body{margin:0;font:16px/1.5 'DejaVu Sans',sans-serif}"
)
FILES = {
    "/css/base.css": ("text/css", BASE),
    "/css/parts/box.css": (
        "text/css",
        b".box{width:420px;margin:25px auto;background:url(../../img/wide.png)}",
    ),
    "/css/parts/wide.css": ("text/css", b".box h1{padding:17px 0 0 31px;color:rgb(1,90,60)}"),
    "/css/narrow.css": ("text/css", b".box{display:none}"),
    "/img/one.png": ("image/png", png((180, 60, 60), 40, 20)),
    "/img/two.png": ("image/png", png((60, 60, 180), 80, 40)),
    "/img/wide.png": ("image/png", png((60, 160, 80), 90, 30)),
}
"""Type and content of the other files, by path."""


def page(name):
    """The HTML of a page."""
    head = "" if LAYOUTS[name].startswith("<html") else "<html lang=en>"
    return f"<!doctype html>{head}<meta charset=utf-8><title>{name}</title>{LAYOUTS[name]}"


def archive(path, origin):
    """Write all pages and files as a WARC archive, as a crawler keeps them: byte by byte."""
    answers = {
        f"/{name}.html": ("text/html; charset=utf-8", page(name).encode()) for name in LAYOUTS
    }
    with path.open("wb") as out:
        for number, (place, (kind, content)) in enumerate({**answers, **FILES}.items()):
            head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n".encode()
            out.write(
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {origin}{place}\r\n"
                f"WARC-Record-ID: <urn:uuid:{number:032x}>\r\n"
                "Content-Type: application/http; msgtype=response\r\n"
                f"Content-Length: {len(head) + len(content)}\r\n\r\n".encode()
            )
            out.write(head + content + b"\r\n\r\n")
    return path


class ModernSite:
    """A server of all pages and their files."""

    def __init__(self):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(handler):  # noqa: N805
                name = handler.path.removeprefix("/").removesuffix(".html")
                kind, content = FILES.get(handler.path, ("text/plain", b""))
                if name in LAYOUTS:
                    kind, content = "text/html", page(name).encode()
                handler.send_response(200 if content else 404)
                handler.send_header("Content-Type", f"{kind}; charset=utf-8")
                handler.send_header("Content-Length", str(len(content)))
                handler.end_headers()
                with suppress(ConnectionError):
                    handler.wfile.write(content)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True

    def __enter__(self):
        Thread(target=self._server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self._server.server_port}"

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
