#!/usr/bin/env python3
"""A WinningPoSt in process, from Python.

Usage: prove.py KEYS VANILLA RANDOMNESS SECTOR_SIZE REGISTERED_PROOF PROOF     as of examples/c/prove.c
"""
import sys
from pathlib import Path

import cuzk


def main():
    keys, vanilla, randomness, sector_size, registered_proof, out = sys.argv[1:]
    request = {"vanilla_proofs": [Path(vanilla).read_bytes()], "randomness": bytes.fromhex(randomness),
               "sector_size": int(sector_size), "registered_proof": int(registered_proof)}
    with cuzk.Engine(f'[srs]\nparam_cache = "{keys}"\n') as engine:
        proof = engine.submit(cuzk.WINNING_POST, request_id="an example", **request).wait(progress=print)
        Path(out).write_bytes(proof)
        valid = engine.verify(proof, cuzk.WINNING_POST, **request)
        print(f"{len(proof)} bytes, valid: {valid}; completed: {engine.status()['counters']['total_completed']}")
        if not valid:
            sys.exit(1)


try:
    main()
except cuzk.Error as error:
    sys.exit(f"prove.py: {error}")
