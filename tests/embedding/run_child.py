#!/usr/bin/env python3
"""Runs a program that has a daemon as its child, uses the daemon, ends the program, and waits for the daemon's end.

Usage: run_child.py CUZK KEYS PROGRAM
"""
import os
import select
import subprocess
import sys
import tempfile
from pathlib import Path


def end_of(daemon):
    """Waits for the end of a process that is not ours."""
    end = select.poll()
    end.register(daemon, select.POLLIN)
    end.poll()


def main():
    cuzk, keys, program = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        socket = Path(folder) / "socket"
        for signal in ("TERM", "KILL"):
            socket.unlink(missing_ok=True)
            parent = subprocess.Popen([program, cuzk, keys, socket], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            number, ready = parent.stdout.readline().split(" ", 1)
            assert ready == f"ready unix://{socket}\n", ready
            daemon = os.pidfd_open(int(number))
            subprocess.run([cuzk, "status", "--connect", f"unix://{socket}"], check=True)
            subprocess.run(["kill", f"-{signal}", str(parent.pid)], check=True)
            parent.wait()
            end_of(daemon)
            print(f"the daemon ended after its parent's SIG{signal}", flush=True)


main()
