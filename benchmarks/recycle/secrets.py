"""Rules as scanners for secrets have them, over nights of edits: exact, and how much is extracted.

The rules are of our own, in the usual forms: a prefix with a long run of characters, a keyword with
an assignment and a random value, keys between lines of dashes, addresses with passwords. Most of
them have no window, because a match may begin inside another. Each night edits every page of a
sample of both corpora at a few random places, one in three of them with something that looks like a
secret, or like half of one. Every rule's records by reuse are compared with those from scratch.
"""

import random
import time
from collections.abc import Iterator

from benchmarks.measure import Table
from benchmarks.recycle.corpora import snapshots
from benchmarks.recycle.trial import Effort
from rowen import Pattern
from rowen.extractors.base import grain_of
from rowen.extractors.locality import Either, Scan
from rowen.model import Page
from rowen.records.packed import Shapes, pack
from rowen.recycling.match import match_regions
from rowen.recycling.recycle import apply, whole
from rowen.recycling.regions import derive_regions, useful_length

COMPARISONS = 200_000

_KEYWORD = r"(?i)(?:%s)[\w.\-]{0,20}[\s'\"]{0,3}(?:=|:=|=>|:)[\s'\"]{0,5}(?P<secret>%s)"

RULES = [
    Pattern(pattern, name=name)
    for name, pattern in {
        "access key": r"(?P<secret>(?:AKIA|ASIA|ABIA)[A-Z0-9]{16})",
        "access key, alone": r"\b(?P<secret>(?:AKIA|ASIA|ABIA)[A-Z2-7]{16})\b",
        "token with a prefix": r"(?P<secret>tok_[0-9a-zA-Z]{36})",
        "two prefixes": r"(?P<secret>(?:pat|ghx)_[0-9A-Za-z_]{22,82})",
        "live key": r"(?P<secret>(?:sk|rk)_(?:live|test)_[0-9a-zA-Z]{10,99})",
        "hex of 32": r"(?P<secret>[0-9a-f]{32})",
        "hex of 40, alone": r"(?<![0-9a-f])(?P<secret>[0-9a-f]{40})(?![0-9a-f])",
        "base64 of 40": r"(?P<secret>[A-Za-z0-9/+]{40})",
        "uuid": r"(?P<secret>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})",
        "keyword and hex": _KEYWORD % ("key|api|token", "[0-9a-f]{32,64}"),
        "keyword and anything": _KEYWORD % ("secret|passw(?:or)?d|token", r"[\w\-+/=.]{10,150}"),
        "keyword of a cloud": _KEYWORD % ("cloud|azure|gcp", r"[a-z0-9_~.\-]{34}"),
        "quoted password": r"(?i)passw(?:or)?d\s{0,9}=\s{0,9}(['\"])(?P<secret>[^'\"]{4,64})\1",
        "signed token": r"(?P<secret>ey[\w\-]{10,400}\.ey[\w\-]{10,400}\.[\w\-]{10,200})",
        "private key": r"(?s)(?P<secret>-----BEGIN[ A-Z]{0,30}KEY-----[^-]{20,4000}-----END)",
        "private key, loose": r"(?i)-----BEGIN[ A-Z0-9_-]{0,100}KEY-----(?P<secret>"
        r"[\s\S]{64,2000}?)KEY-----",
        "address with a password": r"[a-z]{3,9}://[^\s:@/]{1,40}:(?P<secret>[^\s:@/]{3,60})@[\w.\-]{3,80}",
        "webhook": r"https://hooks\.[a-z]{2,20}\.com/(?P<secret>[A-Za-z0-9+/]{20,90})",
        "header": r"(?i)authorization:\s{0,5}(?:basic|bearer)\s{1,5}"
        r"(?P<secret>[\w=~@.+/\-]{12,300})",
        "attribute": r"<meta [^>]*name=\"[^\"]*token[^\"]*\" [^>]*content=\"(?P<secret>[^\"]*)\"",
        "link": r"<a [^>]*href=\"(?P<secret>[^\"]*)\"",
    }.items()
]


_BEFORE = (
    *("AKIA", "tok_", "pat_", "sk_live_", "api_key = '", 'password="', "secret: ", "azure := "),
    *("eyJ", "-----BEGIN RSA KEY-----\n", "KEY-----", "https://x:", '<a class="x" href="', "", " "),
)


def _planted(source: random.Random) -> str:
    """Something that looks like a secret, or like a part of one."""
    digits, letters = (
        "0123456789abcdef",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz01234567/+",
    )
    many = source.choice((8, 16, 32, 36, 40, 64))
    value = "".join(source.choices(source.choice((digits, letters)), k=many))
    before = source.choice(_BEFORE)
    after = source.choice(("", "'", '"', "\n", "-----END", "@host.com", ".eyJhbGciOi.", " ", ">"))
    return before + (value if before != "AKIA" else value.upper()) + after


def _edited(source: random.Random, old: str) -> str:
    new = old
    for _ in range(source.randint(1, 4)):
        start = source.randint(0, len(new))
        end = min(len(new), start + source.choice((0, 0, 1, 8, 60)))
        put = (
            _planted(source) if source.random() < 1 / 3 else old[end : end + source.randint(0, 40)]
        )
        new = new[:start] + put + new[end:]
    return new


def _nights(effort: Effort) -> Iterator[tuple[str, str]]:
    """Old and new texts: real changes of the corpora first, then edits of all pages, and again."""
    source, pages = random.Random(6), []
    for corpus in effort.corpora:
        old_folder, *folders = snapshots(corpus)[:3]
        for folder in folders:
            for path in sorted(folder.rglob("*")):
                before = old_folder / path.relative_to(folder)
                if path.is_file() and before.is_file():
                    old, new = (one.read_text("utf-8", "replace") for one in (before, path))
                    pages.append(new[:40_000])
                    if old != new:
                        yield old[:40_000], new[:40_000]
            old_folder = folder
    source.shuffle(pages)
    while True:
        for number, old in enumerate(pages):
            new = _edited(source, old)
            yield old, new
            pages[number] = new  # the next night begins here


def run(effort: Effort) -> str:
    """A row for each rule."""
    table = Table(
        f"recycle: {COMPARISONS:,} comparisons of rules for secrets",
        ("rule", "reuse by", "records", "other than scratch", "extracted of changed pages"),
    )
    done, seconds = 0, {"reuse": 0.0, "scratch": 0.0}
    sums = {rule.name: [0, 0, 0, 0] for rule in RULES}
    for old, new in _nights(effort):
        page = Page(new, id="new")
        length = min(useful_length(grain_of(rule)) for rule in RULES)
        begin = time.process_time()
        matches = match_regions(old, new, "anchor", length)
        seconds["reuse"] += time.process_time() - begin
        for rule in RULES:
            shapes = Shapes()
            before = pack(rule.extract(Page(old, id="old")), shapes)
            begin = time.process_time()
            regions = derive_regions(grain_of(rule), matches, old, new)
            reused = apply(rule, regions, before, page, shapes)
            middle = time.process_time()
            scratch = whole(rule, page, shapes).records.as_set(shapes)
            seconds["reuse"] += middle - begin
            seconds["scratch"] += time.process_time() - middle
            own = sums[rule.name]
            own[0] += scratch.count
            own[1] += not reused.records.as_set(shapes).same(scratch)
            own[2] += reused.extracted
            own[3] += len(new)
        done += len(RULES)
        if done >= COMPARISONS:
            break
    for rule in RULES:
        records, wrong, extracted, size = sums[rule.name]
        table.add(rule.name, _kind(rule), f"{records:,}", str(wrong), f"{extracted / size:.2%}")
    totals = [sum(own[place] for own in sums.values()) for place in range(4)]
    table.add("all", "", f"{totals[0]:,}", str(totals[1]), f"{totals[2] / totals[3]:.2%}")
    spent = f"{seconds['reuse']:.0f} by reuse, {seconds['scratch']:.0f} from scratch"
    return f"{table}\n\nCPU seconds: {spent}."


def _kind(rule: Pattern) -> str:
    grain = grain_of(rule)
    options = grain.options if isinstance(grain, Either) else (grain,)
    return ", ".join("scan" if isinstance(one, Scan) else type(one).__name__ for one in options)
