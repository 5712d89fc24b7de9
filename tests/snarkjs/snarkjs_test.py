#!/usr/bin/env python3
"""A circuit by circom2, a key by snarkjs; proofs of cuzk that snarkjs verifies, and proofs of snarkjs that cuzk verifies.
They are made by the commands of docs/circom.md.

Usage: snarkjs_test.py CUZK NODE_MODULES      exit status 77: node or the packages are not there
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CUZK, MODULES = Path(sys.argv[1]), Path(sys.argv[2])
ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "tests" / "vectors" / "circom"


def missing():
    """What the test lacks, or nothing."""
    if shutil.which("node") is None:
        return "node is not installed"
    for package in ("circom2", "snarkjs"):
        if not (MODULES / package / "package.json").is_file():
            return f"{MODULES} has no {package}: npm install --prefix {MODULES.parent} circom2 snarkjs"
    return None


def commands_of_the_page():
    """The worked example of docs/circom.md, without what installs the tools and copies the circuit."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", (ROOT / "docs" / "circom.md").read_text(), re.M | re.S)
    assert len(blocks) == 2, "the page has other commands than this test knows"
    lines = "".join(blocks).splitlines()
    lines = [line.replace("cp tests/vectors/circom/product.circom . && ", "") for line in lines]
    return "\n".join(line for line in lines if not line.startswith(("npm ", "PATH=")))


class Snarkjs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="cuzk_snarkjs_")
        cls.folder = Path(cls.temporary.name)
        (cls.folder / "bin").mkdir()
        (cls.folder / "bin" / "cuzk").symlink_to(CUZK.resolve())
        shutil.copy(SOURCES / "product.circom", cls.folder)
        cls.run_in_folder("bash", "-euo", "pipefail", "-c", commands_of_the_page(), path=f"{cls.folder}/bin:{MODULES}/.bin")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def run_in_folder(cls, *command, expect=0, path=None):
        environment = os.environ | {"PATH": f"{path}:{os.environ['PATH']}"} if path else None
        done = subprocess.run([str(word) for word in command], cwd=cls.folder, env=environment, capture_output=True,
                              text=True, check=False)
        if done.returncode != expect:
            raise AssertionError(f"{command}: status {done.returncode}, expected {expect}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    @classmethod
    def node(cls, program, *arguments, expect=0):
        return cls.run_in_folder("node", MODULES / ".bin" / program, *arguments, expect=expect)

    @classmethod
    def cuzk(cls, *arguments, expect=0):
        return cls.run_in_folder(CUZK, *arguments, expect=expect)

    def alter_first_input(self, name):
        inputs = json.loads((self.folder / name).read_text())
        inputs[0] = str(int(inputs[0]) + 1)
        (self.folder / "altered.json").write_text(json.dumps(inputs))

    def test_snarkjs_verifies_a_proof_of_cuzk_with_its_key(self):
        self.cuzk("prove", "--zkey", "product.zkey", "--wtns", "product.wtns", "--proof", "p.json", "--public", "x.json")
        self.assertEqual(json.loads((self.folder / "x.json").read_text())[:2], [str(201 * 77), str(201 * 77 + 15)])
        self.node("snarkjs", "groth16", "verify", "vk.json", "x.json", "p.json")
        self.alter_first_input("x.json")
        self.node("snarkjs", "groth16", "verify", "vk.json", "altered.json", "p.json", expect=1)

    def test_cuzk_verifies_a_proof_of_snarkjs(self):
        self.node("snarkjs", "groth16", "prove", "product.zkey", "product.wtns", "s.json", "sx.json")
        self.cuzk("verify", "--vk", "vk.json", "--proof", "s.json", "--public", "sx.json")
        self.cuzk("verify", "--vk", "product.zkey", "--proof", "s.json", "--public", "sx.json")
        self.alter_first_input("sx.json")
        self.cuzk("verify", "--vk", "vk.json", "--proof", "s.json", "--public", "altered.json", expect=1)

    def test_snarkjs_verifies_a_proof_with_a_key_of_cuzk(self):
        self.cuzk("setup", "--r1cs", "product.r1cs", "--out", "keys")
        self.cuzk("prove", "--r1cs", "product.r1cs", "--params", "keys/product.params", "--wtns", "product.wtns",
                  "--device", "cpu", "--proof", "o.json", "--public", "ox.json")
        self.cuzk("export", "--vk", "keys/product.vk", "--out", "ovk.json")
        self.node("snarkjs", "groth16", "verify", "ovk.json", "ox.json", "o.json")
        self.node("snarkjs", "groth16", "verify", "vk.json", "ox.json", "o.json", expect=1)

    def test_an_exported_key_is_the_one_that_snarkjs_exports(self):
        self.cuzk("export", "--vk", "product.zkey", "--out", "exported.json")
        expected = json.loads((self.folder / "vk.json").read_text())
        del expected["vk_alphabeta_12"]
        self.assertEqual(json.loads((self.folder / "exported.json").read_text()), expected)

    def test_a_key_without_contribution_is_refused(self):
        self.cuzk("prove", "--zkey", "product.0.zkey", "--wtns", "product.wtns", expect=1)

    def test_the_circuit_is_satisfied(self):
        said = json.loads(self.cuzk("import", "product.r1cs", "--wtns", "product.wtns", "--json"))
        self.assertTrue(said["satisfied"])


if __name__ == "__main__":
    if missing():
        print(f"skipped: {missing()}")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
