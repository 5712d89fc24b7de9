#!/usr/bin/env python3
"""Whether what the pages link to is there, and every page is in the site's menu.

Usage: links_test.py SOURCE
"""
import re
import sys
from pathlib import Path

LINK = re.compile(r"\[[^\]\n]*\]\(([^)#\s]+)(?:#[^)\s]*)?\)")
GENERATED = re.compile(r"^reference/(cuzk|cuzk-bench|wire|header)\.md$")  # by tools/docs


def broken_links(root):
    for page in [*sorted((root / "docs").rglob("*.md")), root / "README.md", root / "CONTRIBUTING.md"]:
        text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
        for target in LINK.findall(text):
            if "://" in target or GENERATED.match(target):
                continue
            if not (page.parent / target).exists():
                yield f"{page.relative_to(root)}: links to {target}, which is not there"


def pages_without_menu(root):
    menu = (root / "mkdocs.yml").read_text()
    for page in sorted((root / "docs").glob("*.md")):
        if f": {page.name}\n" not in menu:
            yield f"docs/{page.name}: not in the menu of mkdocs.yml"


def main():
    root = Path(sys.argv[1])
    found = [*broken_links(root), *pages_without_menu(root)]
    print("\n".join(found) or "all links lead somewhere")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
