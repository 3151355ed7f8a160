"""Chooses the reader for a file: by its name, and by its first bytes where the name lies or is silent.

Readers are loaded when the first file that needs them comes along: adding notes never pays for
PDFs. A file that no reader can make text of gets None and is passed over; a name that nobody
knows is plain text if its bytes are.
"""

from __future__ import annotations

import re
from functools import cache

from scrubjay.ingest.decode import looks_binary
from scrubjay.ingest.readers.code import language_of, script_language
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrubjay.ports import Reader

_READERS = {  # name → where it is, and the kind of what it reads
    "markdown": ("markdown:MarkdownReader", "markdown"),
    "text": ("text:TextReader", "note"),
    "code": ("code:CodeReader", "code"),
    "pdf": ("pdf:PdfReader", "pdf"),
    "html": ("html:HtmlReader", "note"),
    "rst": ("rst:RstReader", "note"),
    "table": ("tables:TableReader", "note"),
    "data": ("data:DataReader", "code"),
    "notebook": ("notebook:NotebookReader", "code"),
    "docx": ("docx:DocxReader", "note"),
}

_ENDINGS = {
    **dict.fromkeys(("md", "markdown", "mdown", "mkd", "mdx", "qmd", "rmd"), "markdown"),
    **dict.fromkeys(("txt", "text", "log", "org", "tex", "adoc", "asciidoc", "srt", "vtt", "eml"), "text"),
    "pdf": "pdf",
    **dict.fromkeys(("html", "htm", "xhtml", "shtml"), "html"),
    **dict.fromkeys(("rst", "rest"), "rst"),
    **dict.fromkeys(("csv", "tsv", "tab", "psv"), "table"),
    **dict.fromkeys(("json", "jsonc", "json5", "geojson", "jsonl", "ndjson", "yaml", "yml", "toml"), "data"),
    **dict.fromkeys(("ini", "cfg", "conf", "properties", "lock", "service", "editorconfig"), "data"),
    "ipynb": "notebook",
    **dict.fromkeys(("docx", "docm", "dotx"), "docx"),
}

# Endings of files that hold no text, so that they need not be opened to see it.
_NO_TEXT_ENDINGS = """
    png jpg jpeg gif bmp ico webp tif tiff heic heif avif psd ai eps xcf raw cr2 nef svg svgz
    mp3 mp4 m4a m4v wav flac ogg oga ogv opus aac wma wmv avi mov mkv webm mpg mpeg mid midi
    zip gz tgz bz2 xz zst 7z rar tar jar war ear whl egg apk deb rpm dmg iso img cab msi pkg crx
    exe dll so dylib a o obj lib class pyc pyo pyd wasm node bin dat elf ko
    ttf otf woff woff2 eot pfb db sqlite sqlite3 db-wal db-shm mdb accdb parquet feather arrow orc
    npy npz pkl pickle joblib h5 hdf5 pt pth onnx safetensors gguf ckpt tflite
    doc xls xlsx ppt pptx odt ods odp pages numbers epub mobi azw3 djvu
    key pem crt cer der p12 pfx jks gpg asc sig kdbx map swp swo bak tmp part crdownload
"""
_NO_TEXT = frozenset(_NO_TEXT_ENDINGS.split())


def kind_for(path: str) -> str | None:
    """The kind a file of this name will have; None when its name says that it holds no text."""
    name = _reader_name(path, b"")
    return _READERS[name][1] if name else None


def reader_for(path: str, head: bytes, extra: Mapping[str, Reader] | None = None) -> Reader | None:
    """The reader for a file, given its first bytes (`decode.HEAD_BYTES` of them); None if none can.

    `extra` are plug-in readers by the ending of the files they read; they go before our own.
    """
    if extra and _ending(path) in extra:
        return extra[_ending(path)]
    name = _reader_name(path, head)
    if name is None or (name not in ("pdf", "docx") and looks_binary(head)):
        return None
    return _loaded(_READERS[name][0])


def _reader_name(path: str, head: bytes) -> str | None:
    if head.startswith(b"%PDF-"):
        return "pdf"
    ending = _ending(path)
    if ending in _ENDINGS:
        return _ENDINGS[ending]
    if language_of(path) is not None:
        return "code"
    if ending in _NO_TEXT:
        return None
    return "code" if script_language(head) is not None else "text"


def _ending(path: str) -> str:
    name = re.split(r"[/\\]", path)[-1].lower()
    return name.rpartition(".")[2] if "." in name else ""


@cache
def _loaded(place: str) -> Reader:
    from importlib import import_module

    module, _, name = place.partition(":")
    reader: Reader = getattr(import_module(f"{__name__}.{module}"), name)()
    return reader
