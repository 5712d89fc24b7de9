#!/usr/bin/env python3
"""Runs a test of the page with Node.js; says what is missing where it cannot (exit status 77).

Usage: run_node.py NODE FILE [PROGRAM]     NODE may be empty: there is none; PROGRAM: cuzk, for tests of a real daemon
"""
import os
import subprocess
import sys
from pathlib import Path

CHROMIUM = [os.environ.get("CUZK_CHROMIUM", ""), "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]


def missing(node, web):
    if not node:
        return "there is no node"
    if not (web / "node_modules" / "playwright-core").exists():
        return f"npm ci was not run in {web}"
    if not any(path and Path(path).exists() for path in CHROMIUM):
        return "there is no Chromium (CUZK_CHROMIUM names one elsewhere)"
    return ""


def main():
    node, file = sys.argv[1], Path(sys.argv[2])
    if what := missing(node, file.parent.parent):
        print(f"skipped: {what}")
        return 77
    environment = dict(os.environ, CUZK_PROGRAM=sys.argv[3] if len(sys.argv) > 3 else "")
    return subprocess.run([node, "--test", "--test-reporter=spec", str(file)], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
