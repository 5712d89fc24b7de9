#!/usr/bin/env python3
"""Manual pages and completion of the real programs: everything that --help has is in them, and shells take them.

Usage: manual_test.py CUZK CUZK_BENCH     tools that are not there (mandoc, man, zsh, fish) are not asked
"""
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAMS = []
OPTION = re.compile(r"^  (-[^ ]*)", re.M)
COMMAND = re.compile(r"^  ([a-z][a-z-]*) ", re.M)
EPOCH = "86400"  # 1970-01-02


def run(*command, stdin="", **changes):
    return subprocess.run([str(word) for word in command], input=stdin, capture_output=True, text=True, timeout=60,
                          env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH, "LC_ALL": "C.UTF-8"}, **changes)


def output(*command, **more):
    done = run(*command, **more)
    assert done.returncode == 0 and not done.stderr, f"{command}: {done.returncode}\n{done.stderr}"
    return done.stdout


@functools.cache
def help_of(program, words):
    """--help of a command: every test asks for all of them again, and each is a process."""
    return output(program, *words, "--help")


def commands_below(program, words):
    """The commands that --help of a command lists."""
    _, _, text = help_of(program, words).partition("Subcommands:\n")
    return COMMAND.findall(text)


def all_commands(program, words=()):
    yield words
    for name in commands_below(program, words):
        yield from all_commands(program, (*words, name))


def options_of(program, words):
    """Every option's names in --help of a command: {"-c", "--config"}."""
    text, _, _ = help_of(program, words).partition("Subcommands:\n")
    return {name for names in OPTION.findall(text) for name in names.split(",")}


def plain(roff):
    """A page's text without what formats it."""
    return roff.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "").replace("\\fI", "")


class Manual(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def pages(self, program):
        output(program, "manual", "man", "--out", self.folder / "man1")
        return {page.name: page.read_text() for page in (self.folder / "man1").iterdir()}

    def script(self, program, shell):
        file = self.folder / f"{program.name}.{shell}"
        file.write_text(output(program, "manual", shell))
        return file

    def test_every_option_of_help_is_in_the_page_of_its_command(self):
        for program in PROGRAMS:
            pages = self.pages(program)
            for words in all_commands(program):
                page = plain(pages["-".join([program.name, *words[:1]]) + ".1"])
                missing = {name for name in options_of(program, words) if not re.search(rf"(^|[ ,]){name}([ ,]|$)", page, re.M)}
                self.assertFalse(missing, f"{program.name} {words}")
                self.assertTrue(len(options_of(program, words)) > 0)

    def test_the_manual_itself_is_hidden(self):
        for program in PROGRAMS:
            self.assertNotIn("manual", commands_below(program, ()))
            self.assertNotIn(f"{program.name}-manual.1", self.pages(program))
            self.assertNotIn("manual", run(program, "nope").stderr)

    def test_pages_say_the_day_of_the_sources_and_exit_statuses(self):
        text = self.pages(PROGRAMS[0])["cuzk-prove.1"]
        self.assertIn("1970-01-02", text)
        self.assertIn("EXIT STATUS", text)
        self.assertIn(".SH EXAMPLES", text)

    def test_the_daemon_has_the_page_of_serve(self):
        if "serve" in commands_below(PROGRAMS[0], ()):
            self.assertEqual(self.pages(PROGRAMS[0])["cuzk-daemon.1"], ".so man1/cuzk-serve.1\n")

    def test_pages_hold_for_mandoc_and_man(self):
        for program in PROGRAMS:
            self.pages(program)
        whole = [page for page in (self.folder / "man1").iterdir() if not page.read_text().startswith(".so ")]
        self.assertTrue(whole)
        for page in whole:
            if shutil.which("mandoc"):
                done = run("mandoc", "-T", "lint", "-W", "warning", page)
                self.assertEqual(done.stdout + done.stderr, "", page.name)
            if shutil.which("man"):
                done = run("man", "--warnings", "-l", page)
                self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)
                self.assertIn("NAME", done.stdout)

    def test_markdown_names_every_command(self):
        for program in PROGRAMS:
            text = output(program, "manual", "markdown")
            for words in all_commands(program):
                self.assertRegex(text, rf"(?m)^#+ {' '.join([program.name, *words])}$")

    def complete_in_bash(self, file, *words):
        call = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); spec=$(complete -p "$1"); f=${spec#*-F }; ' \
               '"${f%% *}" "$1" "${!#}" ""; printf "%s\\n" "${COMPREPLY[@]}"'
        return set(output("bash", "-uc", call, "bash", file, *words, cwd=self.folder).split())

    def test_bash_completes_commands_options_and_values(self):
        for program in PROGRAMS:
            file = self.script(program, "bash")
            output("bash", "-n", file)
            self.assertEqual(self.complete_in_bash(file, program.name, ""), set(commands_below(program, ())))
            for words in all_commands(program):
                offered = self.complete_in_bash(file, program.name, *words, "-")
                self.assertEqual(offered, options_of(program, words), words)

    def test_bash_knows_kinds_circuits_and_files(self):
        file = self.script(PROGRAMS[0], "bash")
        (self.folder / "request.json").touch()
        for words, expected in [(("prove", "w"), {"window", "winning"}), (("prove", "porep", "req"), {"request.json"}),
                                (("prove", "--device", "c"), {"cpu", "cuda"}), (("keys", "l"), {"list"}),
                                (("prove", "--keys", "dir", "w"), {"window", "winning"}),
                                (("setup", "wpost-3"), {"wpost-32g", "wpost-32k"}), (("prove", "--vram-limit", ""), set())]:
            self.assertEqual(self.complete_in_bash(file, "cuzk", *words), expected, words)
        if "serve" in commands_below(PROGRAMS[0], ()):
            self.assertEqual(self.complete_in_bash(file, "cuzk-daemon", "--conf"), {"--config"})
            self.assertEqual(self.complete_in_bash(file, "cuzk-daemon", "-c", "req"), {"request.json"})

    def test_zsh_reads_its_script(self):
        if not shutil.which("zsh"):
            self.skipTest("no zsh")
        for program in PROGRAMS:
            file = self.folder / f"_{program.name}"
            file.write_text(output(program, "manual", "zsh"))
            self.assertTrue(file.read_text().startswith("#compdef " + program.name))
            output("zsh", "-fn", file)

    def test_fish_completes(self):
        if not shutil.which("fish"):
            self.skipTest("no fish")
        (self.folder / "home").mkdir()
        for program in PROGRAMS:
            file = self.script(program, "fish")
            for words in all_commands(program):
                line = " ".join([program.name, *words, "-"])
                done = output("env", f"HOME={self.folder}/home", "fish", "--no-config", "-c", f"source {file}; complete -C '{line}'",
                              cwd=self.folder)
                offered = {offer.split("\t")[0] for offer in done.splitlines()}
                self.assertEqual(offered, options_of(program, words), words)


if __name__ == "__main__":
    PROGRAMS = [Path(name) for name in sys.argv[1:3]]
    unittest.main(argv=sys.argv[:1])
