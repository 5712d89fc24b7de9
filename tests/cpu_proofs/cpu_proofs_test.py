#!/usr/bin/env python3
"""Whole proofs on every path of the processor that has to be forced (CUZK_CPU): each is the golden proof, bit by bit, for
its r and s. On the path that is taken unasked groth16_porep and groth16_kinds make the same proofs.

Usage: cpu_proofs_test.py CUZK KEYS CIRCUIT...
"""
import base64
import json
import lzma
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CUZK, KEYS, CIRCUITS = sys.argv[1], sys.argv[2], sys.argv[3:]
VECTORS = Path(__file__).resolve().parents[1] / "vectors"
GOLDEN = {"winning-2k": ("winning", "winning-2k.winning-1"), "wpost-2k": ("window", "window-2k.window-v1_2-3"),
          "porep-2k": ("porep", "porep-2k.s2-v1_1")}
PATHS = ("portable", "adx", "avx2", "ifma")


def request_of(kind, folder):
    if kind == "porep":
        return lzma.open(folder / "c1.json.xz").read()
    case = json.loads((folder / "case.json").read_text())
    proofs = [(folder / sector["vanilla_proof"]).read_bytes() for sector in case["sectors"]]
    return json.dumps({"kind": kind, "sector_size": case["sector_size"], "registered_proof": case["registered_proof_id"],
                       "randomness": case["randomness"],
                       "vanilla_proofs": [base64.b64encode(proof).decode() for proof in proofs]}).encode()


def unforced_path():
    """What the program takes on this processor."""
    environment = {name: value for name, value in os.environ.items() if name != "CUZK_CPU"}
    done = subprocess.run([CUZK, "doctor", "--json", "--keys", KEYS], env=environment, capture_output=True, text=True, check=False)
    (found,) = [finding["value"] for finding in json.loads(done.stdout)["checks"] if finding["name"] == "cpu.path"]
    path = found.split(",")[0]
    assert path in PATHS, found
    return path


class CpuProofs(unittest.TestCase):
    def prove(self, path, kind, golden, folder):
        """The proof, or nothing where the processor does not have the path: the program says so."""
        request = Path(folder) / "request"
        request.write_bytes(request_of(kind, VECTORS / golden["input"]))
        r, s = (",".join(partition["proofs"][0][name] for partition in golden["partitions"]) for name in "rs")
        done = subprocess.run([CUZK, "prove", kind, request, "--keys", KEYS, "--device", "cpu", "--json",
                               "--insecure-fixed-rs", r, s],
                              env=os.environ | {"CUZK_CPU": path}, capture_output=True, text=True, check=False)
        if "this processor does not have it" in done.stderr:
            return None
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["proof"]

    def test_every_other_path_makes_the_golden_proof(self):
        unforced = unforced_path()
        for circuit in CIRCUITS:
            kind, name = GOLDEN[circuit]
            golden = json.loads((VECTORS / "proofs" / f"{name}.json").read_text())
            expected = "".join(partition["proofs"][0]["proof"] for partition in golden["partitions"])
            for path in (path for path in PATHS if path != unforced):
                with self.subTest(circuit=circuit, path=path), tempfile.TemporaryDirectory() as folder:
                    made = self.prove(path, kind, golden, folder)
                    if made is None and path != "portable":
                        print(f"{circuit}: this processor does not have {path}", flush=True)
                        continue
                    self.assertEqual(made, expected)
                    print(f"{circuit}: CUZK_CPU={path} makes the golden proof", flush=True)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
