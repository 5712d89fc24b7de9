#!/usr/bin/env python3
"""Checks the models of models/ with spin, and that each fails when one step of its protocol is moved or dropped.

Usage: models_test.py FOLDER      exit status 77: spin or a C compiler is not installed
"""
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

MODELS = Path(sys.argv[1]).resolve()
COMPILER = shutil.which("cc") or shutil.which("gcc")


def errors(model, *definitions):
    """The number of errors that an exhaustive search finds (it stops at the first), and what it printed."""
    with tempfile.TemporaryDirectory(prefix="cuzk_models_") as folder:
        run = lambda *command: subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
        run("spin", "-a", *definitions, str(MODELS / model))
        run(COMPILER, "-O0", "-DSAFETY", "-w", "-o", "pan", "pan.c")
        said = run("./pan", "-E", "-m100000")
    if "max search depth too small" in said or "Search not completed" in said and "errors: 0" in said:
        raise AssertionError("the search was not complete:\n" + said)
    return int(re.search(r"errors: (\d+)", said).group(1)), said


class Models(unittest.TestCase):
    def expect_holds(self, model, *definitions):
        found, said = errors(model, *definitions)
        self.assertEqual(found, 0, said)
        self.assertGreater(int(re.search(r"(\d+) states, stored", said).group(1)), 300, "it went nowhere:\n" + said)

    def expect_fails(self, model, definition, assertion):
        found, said = errors(model, "-D" + definition)
        self.assertEqual(found, 1, f"{model} holds with {definition}:\n{said}")
        self.assertIn(assertion, said)

    def test_journal_holds(self):
        self.expect_holds("journal.pml")
        self.expect_holds("journal.pml", "-DJOBS=1", "-DCRASHES=4")

    def test_journal_fails_when_a_step_is_moved(self):
        lost, twice, written_twice = "memory[job]==", "told[job]==", "row[job]=="
        for definition, assertion in (("ACK_FIRST", lost), ("TELL_FIRST", twice), ("FORGET_FIRST", lost),
                                      ("NO_JOIN", written_twice), ("NO_REPLAY", written_twice)):
            with self.subTest(definition):
                self.expect_fails("journal.pml", definition, assertion)

    def test_farm_holds(self):
        self.expect_holds("farm.pml")
        self.expect_holds("farm.pml", "-DDAEMONS=3", "-DFAULTS=4")

    def test_farm_fails_when_a_guard_is_dropped(self):
        for definition, assertion in (("ACK_FIRST", "state!="), ("NO_FENCE", "true_holder"),
                                      ("FENCE_BY_NAME", "true_holder"), ("NO_FINAL", "assertion violated"),
                                      ("NUMBER_REUSED", "number>given"), ("NO_SWEEP", "client==")):
            with self.subTest(definition):
                self.expect_fails("farm.pml", definition, assertion)

    def test_parts_of_a_job_hold(self):
        self.expect_holds("farm_parts.pml")

    def test_parts_of_a_job_fail_when_a_guard_is_dropped(self):
        final, ended = "!((((job==", "(((job=="
        for definition, assertion in (("WAIT_FOR_PARTS", ended), ("NO_JOB_LOCK", final), ("NO_STATE", final),
                                      ("NO_SWEEP", ended), ("WRONG_IS_FINAL", "then!=")):
            with self.subTest(definition):
                self.expect_fails("farm_parts.pml", definition, assertion)


if __name__ == "__main__":
    if shutil.which("spin") is None or COMPILER is None:
        print("skipped: spin or a C compiler is not installed")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
