#!/usr/bin/env python3
"""Runs the commands of the pages: blocks that begin with ```sh test, those of a page one after the other in a folder of its own.

Usage: commands_test.py SOURCE BIN     BIN: the folder of the programs
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```sh test\n(.*?)^```$", re.M | re.S)


def run(page, blocks, programs):
    """The page's blocks as one script, in one shell: a block may use what those above it made."""
    with tempfile.TemporaryDirectory() as folder:
        script = "set -euo pipefail\n" + "\n".join(f"set -x\n{block}{{ set +x; }} 2>/dev/null" for block in blocks)
        environment = {"PATH": f"{programs}:/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8"}
        if "CUZK_CIRCUITS" in os.environ:
            environment["CUZK_CIRCUITS"] = os.environ["CUZK_CIRCUITS"]
        done = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=600)
    print(f"{page.name}: {len(blocks)} blocks, exit status {done.returncode}")
    if done.returncode != 0:
        print(done.stdout)
    return done.returncode == 0


def main():
    source, programs = Path(sys.argv[1]), Path(sys.argv[2])
    pages = {page: BLOCK.findall(page.read_text()) for page in sorted((source / "docs").glob("*.md"))}
    pages = {page: blocks for page, blocks in pages.items() if blocks}
    assert any(page.name == "quickstart.md" for page in pages), "the quick start has no commands"
    return 0 if all([run(page, blocks, programs) for page, blocks in pages.items()]) else 1


if __name__ == "__main__":
    sys.exit(main())
