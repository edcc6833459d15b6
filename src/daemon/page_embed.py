#!/usr/bin/env python3
"""Turns the page's built files into C, or none at all into an empty table.

    page_embed.py OUT.c [STAMP]

STAMP is JSON: `folder` holds index.html and what belongs to it, `packed` the same as gzip, better than is
made here; `missing` says why there is no page.
See daemon/page.h.
"""

import gzip
import hashlib
import json
import sys
from pathlib import Path

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
BYTES_A_LINE = 24
TAG_DIGITS = 16


def files_of(folder):
    """(path as requests name it, file) of all that is in the folder, in a fixed order."""
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = "/" + file.relative_to(folder).as_posix()
        if file.suffix not in TYPES:
            sys.exit(f"page_embed: {file}: no content type is known for '{file.suffix}'; "
                     f"known are {' '.join(TYPES)}")
        if not name.isascii() or '"' in name or "\\" in name:
            sys.exit(f"page_embed: {file}: expected a name in plain ASCII")
        yield ("/" if name == "/index.html" else name), file


def array(number, data):
    lines = [", ".join(map(str, data[at:at + BYTES_A_LINE]))
             for at in range(0, len(data), BYTES_A_LINE)]
    body = ",\n    ".join(lines)
    return f"static const unsigned char bytes_{number}[] = {{\n    {body}}};\n"


def row(number, path, file, plain):
    tag = hashlib.sha256(plain).hexdigest()[:TAG_DIGITS]
    return (f'    {{"{path}", "{TYPES[file.suffix]}", "{tag}", bytes_{number}, '
            f"sizeof bytes_{number}, {len(plain)}}},\n")


def folders_of(stamp):
    """Where the page's files lie, and where packed ones; None where there are none."""
    said = json.loads(Path(stamp).read_text(encoding="utf-8"))
    if said["missing"]:
        return None, None
    return Path(said["folder"]), Path(said["packed"]) if said.get("packed") else None


def squeeze(plain, packed):
    """The bytes as gzip: those of the file, if there is one."""
    if not packed or not packed.is_file():
        return gzip.compress(plain, 9, mtime=0)
    data = packed.read_bytes()
    if gzip.decompress(data) != plain:
        sys.exit(f"page_embed: {packed} does not hold what it should")
    return data


def main():
    folder, packed = folders_of(sys.argv[2]) if len(sys.argv) > 2 else (None, None)
    arrays, rows = [], []
    for number, (path, file) in enumerate(files_of(folder) if folder else []):
        plain = file.read_bytes()
        twin = packed and packed / f"{file.relative_to(folder).as_posix()}.gz"
        arrays.append(array(number, squeeze(plain, twin)))
        rows.append(row(number, path, file, plain))
    if folder and not any(line.startswith('    {"/",') for line in rows):
        sys.exit(f"page_embed: {folder} has no index.html")
    Path(sys.argv[1]).write_text(
        "/* Made by page_embed.py. */\n"
        '#include "daemon/page.h"\n\n' + "\n".join(arrays) +
        "\nconst struct bl_page_asset bl_page_assets[] = {\n" + "".join(rows) +
        "    {NULL, NULL, NULL, NULL, 0, 0},\n};\n", encoding="ascii")


main()
