#!/usr/bin/env python3
"""Makes the development keys that are not in a folder yet, from the toxic waste of the vectors: whoever makes them, they
are the same.

Usage: take_keys.py CUZK FOLDER CIRCUIT...     CUZK: the program
"""
import json
import os
import subprocess
import sys
from pathlib import Path

VECTORS = Path(__file__).resolve().parent.parent / "vectors/setup"


def toxic_waste_of(circuit):
    return json.loads((VECTORS / f"{circuit.replace('wpost', 'window')}.json").read_text())["toxic_waste"]


def make(cuzk, folder, circuit):
    print(f"making the key of {circuit} in {folder}", flush=True)
    fresh = folder / f"new.{os.getpid()}"
    fresh.mkdir()
    waste = fresh / "toxic-waste.json"
    waste.write_text(json.dumps(toxic_waste_of(circuit)))
    subprocess.run([cuzk, "setup", circuit, "--out", fresh, "--insecure-toxic-waste", waste], check=True)
    waste.unlink()
    for file in fresh.iterdir():
        file.rename(folder / file.name)
    fresh.rmdir()


def main():
    cuzk, folder, circuits = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
    folder.mkdir(parents=True, exist_ok=True)
    listed = subprocess.run([cuzk, "keys", "list", "--json", "--keys", folder], check=True, capture_output=True).stdout
    there = {key["circuit"] for key in json.loads(listed)["keys"]}
    for circuit in circuits:
        if circuit not in there:
            make(cuzk, folder, circuit)


main()
