#!/usr/bin/env python3
"""Tries to break a real daemon, in every way of its scenarios, and looks after each whether it lives, owes nothing, and has
all that it had acknowledged.

Usage: torture.py BUILD KEYS GENERATED [SCENARIO...]     BUILD: build folder; KEYS: folder with the key of wpost-2k;
                                                         GENERATED: folder of the client generated for Python

CUZK_TORTURE=long asks for the long form; each of its counts can be set, CUZK_TORTURE_KILLS=50 and the like (LONG below has
their names). CUZK_TORTURE_MINUTES is how long the soak takes (20) and, where it is set, what repeats something ends after so
many minutes with what it has done by then. CUZK_TORTURE_PAUSE_MS is what a client of the soak waits between its steps.
CUZK_TORTURE_OUT names a file for the figures (JSON), which is written after each scenario.

Exit status: 0; 1 when something did not hold; 77, with the reason, where the Python library of gRPC is missing.
"""
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path

try:
    import grpc  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing} (python3-grpcio)")
    sys.exit(77)

import certificates
import clients
import crashes
import disks
import failpoints
import keyfiles
import limits
import programs
import secrecy
import soak
from subject import Tools

LONG = {"KILLS": 1000, "DAEMON_KILLS": 200, "KIND_KILLS": 40, "FARM_KILLS": 200, "POWER_LOSSES": 5000, "CONNECTIONS": 100_000,
        "FLOOD": 40, "ROUNDS": 20, "PASSES": 3, "MINUTES": 20, "PAUSE_MS": 20}
SHORT = {"KILLS": 4, "DAEMON_KILLS": 0, "KIND_KILLS": 0, "FARM_KILLS": 0, "POWER_LOSSES": 0, "CONNECTIONS": 1000,
         "FLOOD": 2, "ROUNDS": 1, "PASSES": 0, "MINUTES": 0, "PAUSE_MS": 20}
SCENARIOS = [*crashes.SCENARIOS, *disks.SCENARIOS, *keyfiles.SCENARIOS, *limits.SCENARIOS, *clients.SCENARIOS,
             *secrecy.SCENARIOS, *certificates.SCENARIOS, *failpoints.SCENARIOS, *programs.SCENARIOS, *soak.SCENARIOS]
SAY_EVERY_S = 60
HANGS_AFTER_S = 6 * 3600


class Skipped(Exception):
    """A scenario that this machine or this build cannot play."""


class Bench:
    """What a scenario is given."""

    def __init__(self, tools, folder, counts, name):
        self.tools, self.folder, self.counts, self.name = tools, Path(folder), counts, name
        self.is_long = os.environ.get("CUZK_TORTURE") == "long"
        self.minutes = counts["MINUTES"] if "CUZK_TORTURE_MINUTES" in os.environ else None  # None: as long as it takes
        self.begin = self.told = time.monotonic()
        self.done = 0

    @staticmethod
    def skip(reason):
        raise Skipped(reason)

    def say(self, text):
        """How far it is."""
        self.told = time.monotonic()
        print(f"         {self.name}: {text}", flush=True)

    def say_sometimes(self, text):
        if time.monotonic() > self.told + SAY_EVERY_S:
            self.say(text)

    def rounds(self, count):
        """0 to count - 1, or fewer, but one, where the time is over. `done`: how many there were."""
        for self.done in range(1, count + 1):
            if self.minutes is not None and self.done > 1 and time.monotonic() > self.begin + 60 * self.minutes:
                self.done -= 1
                self.say(f"ends after {self.done} of {count}: its {self.minutes:g} minutes are over")
                return
            self.say_sometimes(f"{self.done} of {count}")
            yield self.done - 1

    def run_test(self, program, chosen, **environment):
        """What a test program of this build writes; it must pass."""
        test = self.tools.build / "bin" / program
        if not test.exists():
            self.skip(f"{program} is not built")
        lines = []
        with subprocess.Popen([test, f"--gtest_filter={chosen}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace",
                              env=os.environ | {"CUZK_CIRCUITS": str(self.folder / "circuits")} | environment) as process:
            guard = threading.Timer(HANGS_AFTER_S, process.kill)
            guard.start()
            for line in process.stdout:
                lines.append(line)
                self.say_sometimes(line.strip()[:160])
            status = process.wait()
            guard.cancel()
        assert status == 0, f"{program} {chosen}: status {status}: {''.join(lines)[-3000:]}"
        return "".join(lines)


def counts():
    is_long = os.environ.get("CUZK_TORTURE") == "long"
    return {name: float(os.environ.get(f"CUZK_TORTURE_{name}", value)) if name == "MINUTES"
            else int(os.environ.get(f"CUZK_TORTURE_{name}", value))
            for name, value in (LONG if is_long else SHORT).items()}


def play(scenario, tools, all_counts):
    """Returns its line: name, verdict, seconds, figures."""
    begin = time.monotonic()
    line = {"scenario": scenario.__name__}
    with tempfile.TemporaryDirectory(prefix="cuzk_torture_") as folder:
        try:
            line |= {"verdict": "held", "figures": scenario(Bench(tools, folder, all_counts, scenario.__name__)) or {}}
        except Skipped as reason:
            line |= {"verdict": "skipped", "figures": {"reason": str(reason)}}
        except Exception as error:
            traceback.print_exc()
            line |= {"verdict": "BROKEN", "figures": {"error": str(error)[:2000]}}
    line["seconds"] = round(time.monotonic() - begin, 1)
    print(f"{line['verdict']:8} {line['scenario']} ({line['seconds']} s) {json.dumps(line['figures'])}", flush=True)
    return line


def summary(lines, all_counts):
    """What came out of the scenarios so far."""
    names = {verdict: [line["scenario"] for line in lines if line["verdict"] == verdict]
             for verdict in ("held", "BROKEN", "skipped")}
    return {"held": len(names["held"]), "broken": names["BROKEN"], "skipped": names["skipped"],
            "minutes": round(sum(line["seconds"] for line in lines) / 60, 1), "counts": all_counts, "scenarios": lines}


def main():
    build, keys, generated, *names = sys.argv[1:]
    sys.path.insert(0, generated)
    from cuzk.v1 import proving_pb2, proving_pb2_grpc
    tools = Tools(build, keys, proving_pb2, proving_pb2_grpc)
    chosen = [scenario for scenario in SCENARIOS if not names or scenario.__name__ in names]
    assert chosen, f"no such scenario; there are: {' '.join(scenario.__name__ for scenario in SCENARIOS)}"
    lines, all_counts = [], counts()
    for scenario in chosen:
        lines.append(play(scenario, tools, all_counts))
        if out := os.environ.get("CUZK_TORTURE_OUT"):
            Path(out).write_text(json.dumps(summary(lines, all_counts), indent=1) + "\n")
    total = summary(lines, all_counts)
    print(f"{len(lines)} scenarios in {total['minutes']} min: {total['held']} held, {len(total['broken'])} broken "
          f"({' '.join(total['broken']) or 'none'}), {len(total['skipped'])} skipped ({' '.join(total['skipped']) or 'none'})")
    return 1 if total["broken"] else 0


if __name__ == "__main__":
    sys.exit(main())
