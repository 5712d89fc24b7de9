#!/usr/bin/env python3
"""Tries to break a real daemon, in every way of its scenarios, and looks after each whether it lives, owes nothing, and has
all that it had acknowledged.

Usage: torture.py BUILD KEYS GENERATED [SCENARIO...]     BUILD: build folder; KEYS: folder with the key of wpost-2k;
                                                         GENERATED: folder of the client generated for Python

CUZK_TORTURE=long asks for the long form; its counts can be set one by one: CUZK_TORTURE_KILLS (1000),
CUZK_TORTURE_POWER_LOSSES (20000), CUZK_TORTURE_CONNECTIONS (100000), CUZK_TORTURE_FLOOD (40), CUZK_TORTURE_MINUTES (20, of
the soak). CUZK_TORTURE_OUT names a file for the figures (JSON).

Exit status: 0; 1 when something did not hold; 77, with the reason, where the Python library of gRPC is missing.
"""
import json
import os
import sys
import tempfile
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
import secrecy
import soak
from subject import Tools

LONG = {"KILLS": 1000, "POWER_LOSSES": 20000, "CONNECTIONS": 100_000, "FLOOD": 40, "MINUTES": 20, "ROUNDS": 20,
        "PASSES": 3}
SHORT = {"KILLS": 4, "POWER_LOSSES": 0, "CONNECTIONS": 1000, "FLOOD": 2, "MINUTES": 0, "ROUNDS": 1, "PASSES": 0}
SCENARIOS = [*crashes.SCENARIOS, *disks.SCENARIOS, *keyfiles.SCENARIOS, *limits.SCENARIOS, *clients.SCENARIOS,
             *secrecy.SCENARIOS, *certificates.SCENARIOS, *failpoints.SCENARIOS, *soak.SCENARIOS]


class Skipped(Exception):
    """A scenario that this machine or this build cannot play."""


class Bench:
    """What a scenario is given."""

    def __init__(self, tools, folder, counts):
        self.tools, self.folder, self.counts = tools, Path(folder), counts

    @staticmethod
    def skip(reason):
        raise Skipped(reason)


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
            line |= {"verdict": "held", "figures": scenario(Bench(tools, folder, all_counts)) or {}}
        except Skipped as reason:
            line |= {"verdict": "skipped", "figures": {"reason": str(reason)}}
        except Exception as error:
            traceback.print_exc()
            line |= {"verdict": "BROKEN", "figures": {"error": str(error)[:2000]}}
    line["seconds"] = round(time.monotonic() - begin, 1)
    print(f"{line['verdict']:8} {line['scenario']} ({line['seconds']} s) {json.dumps(line['figures'])}", flush=True)
    return line


def main():
    build, keys, generated, *names = sys.argv[1:]
    sys.path.insert(0, generated)
    from cuzk.v1 import proving_pb2, proving_pb2_grpc
    tools = Tools(build, keys, proving_pb2, proving_pb2_grpc)
    chosen = [scenario for scenario in SCENARIOS if not names or scenario.__name__ in names]
    assert chosen, f"no such scenario; there are: {' '.join(scenario.__name__ for scenario in SCENARIOS)}"
    lines = [play(scenario, tools, counts()) for scenario in chosen]
    if out := os.environ.get("CUZK_TORTURE_OUT"):
        Path(out).write_text(json.dumps(lines, indent=1) + "\n")
    return 1 if any(line["verdict"] == "BROKEN" for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
