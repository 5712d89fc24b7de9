#!/usr/bin/env python3
"""Checks that web/dist/index.html was built from the sources that lie beside it.

Usage: check_dist.py ROOT     exit status 0: it was, 1: build it again (npm ci && npm run build in web/)
"""
import hashlib
import re
import sys
from pathlib import Path

BESIDE = ["build.mjs", "sources.mjs", "package.json", "package-lock.json", "tsconfig.json"]
MAX_BYTES = 200_000


def digest(web):
    """As web/sources.mjs has it."""
    inner = [str(path.relative_to(web)) for path in (web / "src").rglob("*") if path.is_file()]
    lines = [f"{hashlib.sha256((web / name).read_bytes()).hexdigest()} {name}\n" for name in sorted(inner + BESIDE)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def faults(web):
    page = (web / "dist" / "index.html").read_text()
    named = re.search(r"from sources ([0-9a-f]{64})", page)
    expected = digest(web)
    if named is None or named.group(1) != expected:
        yield f"built from sources {named and named.group(1)}, those that are there have {expected}"
    if found := re.search(r"""(?:src|href)=["']?(?!data:|#)[\w/.:]+|url\(|@import""", page.split("<script>")[0]):
        yield f"it loads something: {found.group(0)}"
    if len(page) > MAX_BYTES:
        yield f"{len(page)} bytes, at most {MAX_BYTES}"
    if not (web / "dist" / "preact.LICENSE").exists():
        yield "the license of Preact does not lie beside it"


def main():
    found = [f"web/dist/index.html: {what}" for what in faults(Path(sys.argv[1]) / "web")]
    print("\n".join(found) if found else "the page is built from its sources")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
