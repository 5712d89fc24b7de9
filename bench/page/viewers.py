#!/usr/bin/env python3
"""What a page with viewers costs a daemon: its processor time with and without them, in turns.

Usage: viewers.py PID HOST:PORT [--viewers 10] [--seconds 60] [--rounds 2]

PID is of the daemon, HOST:PORT one of its daemon.status_listen. What the daemon does meanwhile is the caller's. Prints
percent of one core for each turn, and the difference of the means.
"""
import argparse
import os
import socket
import threading
import time

TICK = os.sysconf("SC_CLK_TCK")


def processor_seconds(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


class Viewer(threading.Thread):
    """Reads events until it is told to stop."""

    def __init__(self, address):
        super().__init__(daemon=True)
        self.bytes = self.events = 0
        self.socket = socket.create_connection(address)
        self.socket.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
        self.start()

    def run(self):
        try:
            while data := self.socket.recv(1 << 20):
                self.bytes += len(data)
                self.events += data.count(b"data: ")
        except OSError:
            pass

    def stop(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


def measure(pid, address, viewers, seconds):
    looking = [Viewer(address) for _ in range(viewers)]
    time.sleep(2)  # the whole, and what is looked at once a minute
    before, begin = processor_seconds(pid), time.monotonic()
    time.sleep(seconds)
    spent, took = processor_seconds(pid) - before, time.monotonic() - begin
    told = sum(viewer.events for viewer in looking) / max(1, viewers)
    size = sum(viewer.bytes for viewer in looking) / max(1, viewers)
    for viewer in looking:
        viewer.stop()
    time.sleep(2)
    percent = 100 * spent / took
    print(f"{viewers:3} viewers: {percent:.3f} % of one core over {took:.0f} s; each was told {told:.0f} events, {size / 1024:.0f} KiB")
    return percent


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pid", type=int)
    parser.add_argument("address")
    parser.add_argument("--viewers", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    host, port = options.address.rsplit(":", 1)
    turns = {0: [], options.viewers: []}
    for _ in range(options.rounds):
        for viewers in turns:
            turns[viewers].append(measure(options.pid, (host, int(port)), viewers, options.seconds))
    without, with_them = (sum(turn) / len(turn) for turn in turns.values())
    print(f"{options.viewers} viewers cost {with_them - without:.3f} % of one core")


if __name__ == "__main__":
    main()
