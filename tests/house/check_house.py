#!/usr/bin/env python3
"""Checks the rules of the house on the sources and prints each place that breaks one.

Usage: check_house.py [ROOT]     exit status 0: all is well, 1: something is not

- A room includes only itself and rooms that its CMakeLists.txt names (or that those use), all of them above it.
- Every header begins with a comment that says what it is for and has `#pragma once`; only brackets around code
  (x_begin.h and x_end.h) are included several times.
- No file is longer than 500 lines; nothing is left unfinished; rooms print nothing, they log.
- The test vectors stay below 25 MB.
"""
import re
import sys
from pathlib import Path

SOURCES = {".h", ".cuh", ".cpp", ".cu"}
HEADERS = {".h", ".cuh"}
MAX_LINES = 500
MAX_VECTOR_BYTES = 25 * 1000 * 1000
BRACKETS = ("_begin", "_end")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^/">]+)/[^">]*[">]', re.M)
PRINTS = re.compile(r"\b(?:[fsd]|v|sn|vsn)?printf\s*\(|\bputs\s*\(|\bstd::c(?:out|err)\b|\bfmt::print\b")
UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")


def rooms_in_order(root):
    """The names in set(CUZK_ROOMS ...) of the top CMakeLists.txt."""
    match = re.search(r"set\(CUZK_ROOMS\s+([^)]*)\)", (root / "CMakeLists.txt").read_text())
    return match.group(1).split()


def declared_rooms(root, room):
    """The names after ROOMS in a room's call of cuzk_room()."""
    file = root / "src" / room / "CMakeLists.txt"
    match = re.search(r"cuzk_room\(\s*%s\b([^)]*)\)" % room, file.read_text() if file.exists() else "")
    words = match.group(1).split() if match else []
    if "ROOMS" not in words:
        return set()
    names = words[words.index("ROOMS") + 1:]
    return set(names[:names.index("LIBRARIES")] if "LIBRARIES" in names else names)


def usable_rooms(root, order, room):
    """What a room may include: itself, what it declares, and what that uses in turn."""
    seen, waiting = set(), [room]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(declared_rooms(root, name) & set(order))
    return seen


def sources_below(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in SOURCES and path.is_file())


def check_rooms(root):
    order = rooms_in_order(root)
    for room in order:
        if not (root / "src" / room / "CMakeLists.txt").exists():
            continue
        usable = usable_rooms(root, order, room)
        for path in sources_below(root / "src" / room):
            for used in INCLUDE.findall(path.read_text()):
                if used not in order or used == room:
                    continue
                if order.index(used) > order.index(room):
                    yield path, f"room {room} includes room {used}, which stands below it"
                elif used not in usable:
                    yield path, f"room {room} includes room {used}, which its CMakeLists.txt does not name"
    for folder in sorted((root / "src").iterdir()):
        if folder.is_dir() and sources_below(folder) and folder.name not in order:
            yield folder, "a folder of src that CUZK_ROOMS does not name"


def check_text(root, path):
    text = path.read_text()
    lines = text.count("\n")
    if lines > MAX_LINES:
        yield path, f"{lines} lines, at most {MAX_LINES}"
    if found := UNFINISHED.search(text):
        yield path, f"unfinished: {found.group(0)}"
    if path.suffix in HEADERS and not path.stem.endswith(BRACKETS) and "#pragma once" not in text:
        yield path, "a header without #pragma once"
    if path.is_relative_to(root / "src"):
        if path.suffix in HEADERS and not text.startswith("//"):
            yield path, "a header that does not begin with a comment on what it is for"
        if found := PRINTS.search(text):
            yield path, f"prints with {found.group(0)}: rooms log or return, programs print"


def check_vectors(root):
    size = sum(path.stat().st_size for path in (root / "tests" / "vectors").rglob("*") if path.is_file())
    if size > MAX_VECTOR_BYTES:
        yield root / "tests" / "vectors", f"{size} bytes, at most {MAX_VECTOR_BYTES}"


def faults(root):
    yield from check_rooms(root)
    for folder in ("src", "apps", "lib", "tests", "bench", "fuzz"):
        for path in sources_below(root / folder):
            yield from check_text(root, path)
    yield from check_vectors(root)


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = [f"{path.relative_to(root)}: {what}" for path, what in faults(root)]
    print("\n".join(found) if found else "the house is in order")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
