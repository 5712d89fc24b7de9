#!/usr/bin/env python3
"""Runs a program that makes a WinningPoSt in process, and has its proof checked by `cuzk verify`.

Usage: run_winning.py CUZK KEYS CASE PROGRAM...     CASE: a folder of the vectors

The program gets KEYS VANILLA RANDOMNESS SECTOR_SIZE REGISTERED_PROOF PROOF.
"""
import base64
import json
import subprocess
import sys
import tempfile
from pathlib import Path


def main():
    cuzk, keys, folder, program = sys.argv[1], sys.argv[2], Path(sys.argv[3]), sys.argv[4:]
    case = json.loads((folder / "case.json").read_text())
    vanilla = folder / case["sectors"][0]["vanilla_proof"]
    request = {"kind": "winning", "sector_size": case["sector_size"], "registered_proof": case["registered_proof_id"],
               "randomness": case["randomness"], "vanilla_proofs": [base64.b64encode(vanilla.read_bytes()).decode()]}
    with tempfile.TemporaryDirectory() as work:
        proof, request_file = Path(work) / "proof", Path(work) / "request.json"
        request_file.write_text(json.dumps(request))
        subprocess.run([*program, keys, vanilla, case["randomness"], str(case["sector_size"]),
                        str(case["registered_proof_id"]), proof], check=True)
        assert proof.stat().st_size == 192
        subprocess.run([cuzk, "verify", "winning", request_file, proof, "--keys", keys], check=True)


main()
