#!/usr/bin/env python3
"""Holds that what libcuzk-core has is nowhere a second time: a program with a room of its own would have its state twice.

Usage: check_core.py CORE PROGRAM...
"""
import subprocess
import sys


def defined(file, *options):
    """The symbols of code and data that a file defines and no other may: inline ones (w, v, u) are left out."""
    listing = subprocess.run(["nm", "--defined-only", *options, file], check=True, capture_output=True, text=True).stdout
    fields = (line.split() for line in listing.splitlines())
    return {parts[2].split("@")[0] for parts in fields if len(parts) == 3 and parts[1] in "TDBRtdbr" and "cuzk" in parts[2]}


def main():
    core, *programs = sys.argv[1:]
    shared = defined(core, "--dynamic")
    if len(shared) < 1000:
        print(f"{core}: {len(shared)} symbols of cuzk, expected thousands")
        return 1
    faults = [f"{program}: has its own {name}" for program in programs for name in sorted(defined(program) & shared)]
    print("\n".join(faults[:20]) or f"{len(shared)} symbols, each once")
    return 1 if faults else 0


sys.exit(main())
