#!/usr/bin/env python3
"""Holds the symbols that libcuzk.so exports, with their versions, equal to the list, and the list to the header.

Usage: check_symbols.py LIBRARY LIST HEADER

A symbol that goes, or changes its version, breaks programs that were built before: the list may only grow. Nor may it
come to need gRPC, for which a program that has cuzk in process may have no room.
"""
import re
import subprocess
import sys
from pathlib import Path


def main():
    library, listed, header = (Path(argument) for argument in sys.argv[1:])
    lines = subprocess.run(["nm", "--dynamic", "--defined-only", "--with-symbol-versions", library], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    exported = {line.split()[2] for line in lines if line.split()[1] != "A"}  # A: the version itself
    expected = set(listed.read_text().split())
    declared = set(re.findall(r"^CUZK_(?:API|FALLIBLE) [^;(]*?\b(cuzk_\w+)\(", header.read_text(), re.M))
    faults = [f"exported, not in {listed.name}: {name}" for name in sorted(exported - expected)]
    faults += [f"in {listed.name}, not exported: {name}" for name in sorted(expected - exported)]
    names = {name.split("@")[0] for name in expected}
    faults += [f"in one of {listed.name} and {header.name} alone: {name}" for name in sorted(names ^ declared)]
    needed = subprocess.run(["readelf", "--dynamic", library], check=True, capture_output=True, text=True).stdout
    faults += [f"needs {name}" for name in re.findall(r"\(NEEDED\).*\[(lib(?:grpc|protobuf).*)\]", needed)]
    print("\n".join(faults) or f"{len(exported)} symbols")
    return 1 if faults else 0


sys.exit(main())
