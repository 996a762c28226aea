"""Suffixes of files that are not pages but lie beside them in a crawl or a repository."""

_KINDS = {
    "images": "png jpg jpeg jpe gif webp avif bmp ico tif tiff svg svgz heic psd ai eps",
    "fonts": "woff woff2 ttf otf eot",
    "sound and film": "mp3 mp4 m4a m4v mov avi mkv webm ogg oga ogv flac wav wma wmv mpg mpeg swf",
    "archives": "zip gz tgz bz2 xz zst lz4 br 7z rar tar jar war iso dmg deb rpm apk whl warc",
    "other documents": "pdf doc docx xls xlsx ppt pptx odt ods odp epub mobi djvu",
    "what pages load": "css js mjs cjs map scss less wasm",
    "programs": "exe dll so dylib class pyc pyo msi",
    "tables": "parquet arrow feather npy npz pkl pickle h5 sqlite sqlite3 db",
    "labels and records": "jsonl ndjson",
}
_NO_PAGES = frozenset(suffix for suffixes in _KINDS.values() for suffix in suffixes.split())


def may_be_page(name: str) -> bool:
    """Whether a file in a folder is worth opening: not hidden, and with a suffix that pages have.

    Crawlers keep the query in the name (`style.css?v=3`), so a suffix ends at a question mark.
    """
    if name.startswith("."):
        return False
    if "?" in name:
        name = name[: name.index("?")]
    _, dot, suffix = name.rpartition(".")
    return not dot or suffix.lower() not in _NO_PAGES
