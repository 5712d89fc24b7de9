"""Memory that does not suffice, and clocks that jump."""
import os
import resource
import subprocess
import time
from pathlib import Path

from crashes import KEEP_ALL
from load import Load, large, toy, window
from subject import Subject

CGROUPS = (Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup"))
LIMIT_MB = 320


def ends_process(subject, load, request, may_refuse=False):
    """Whether the request was the end of the process, which is started again. may_refuse: an answer with a reason will do."""
    try:
        load.submit(request, patience_s=1)
    except Exception:
        if subject.process.poll() is None:
            if may_refuse:
                return False
            raise
        subject.start()
        return True
    return False


def memory_group(bench):
    """A control group with little memory; its folder."""
    if os.geteuid() != 0:
        bench.skip("a control group takes root")
    name = f"cuzk_torture_{os.getpid()}"
    for root, file in ((CGROUPS[0], "memory.limit_in_bytes"), (CGROUPS[1], "memory.max")):
        group = root / name
        try:
            group.mkdir()
            (group / file).write_text(str(LIMIT_MB << 20))
            return group
        except OSError:
            if group.exists():
                group.rmdir()
    bench.skip("no control group can be made")
    return None


def little_memory(bench):
    """In a control group of 320 MiB requests of up to 48 MiB flood in beside proofs: what does not fit is refused or fails
    with its reason. Should the kernel end the daemon, nothing that it had acknowledged is lost."""
    group = memory_group(bench)
    subject = Subject(bench.tools, bench.folder / "d", KEEP_ALL + "[memory]\nsafety_margin = \"64MiB\"\n",
                      before=lambda: (group / "cgroup.procs").write_text("0"))
    load = Load(subject)
    ends = 0
    try:
        subject.start()
        for turn in bench.rounds(2 * bench.counts["ROUNDS"]):
            requests = window(turn), toy(turn), large(48 << 20), toy(turn), large(16 << 20)
            ends += sum(ends_process(subject, load, request) for request in requests)
        if subject.process.poll() is not None:
            ends += 1
            subject.start()
        load.check_all_ended()
        most = next((int((group / name).read_text()) for name in ("memory.max_usage_in_bytes", "memory.peak")
                     if (group / name).exists()), 0)
        subject.check_all()
        return {"limit MiB": LIMIT_MB, "most MiB": most >> 20, "ended by the kernel": ends} | load.counts()
    finally:
        subject.end()
        group.rmdir()


def little_address_space(bench):
    """mmap and malloc fail, as they do under a limit of the process: jobs fail with their reason or are proved."""
    limit = 3 << 30  # threads and libraries take most of it before the first job

    def set_limit():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    subject = Subject(bench.tools, bench.folder / "d", KEEP_ALL, before=set_limit,
                      environment={"MALLOC_ARENA_MAX": "2"})
    load = Load(subject)
    ends = 0
    try:
        subject.start()
        for turn in bench.rounds(2 * bench.counts["ROUNDS"]):
            requests = window(turn), toy(turn), large(200 << 20), toy(turn)
            ends += sum(ends_process(subject, load, request, may_refuse=True) for request in requests)
        if subject.process.poll() is not None:
            ends += 1
            subject.start()
        load.check_all_ended()
        subject.check_all()
        return {"limit GiB": limit >> 30, "ended": ends} | load.counts()
    finally:
        subject.end()


FAKETIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1")


def clock_jumps(bench):
    """The clock of the day jumps by a year, back by two, by seconds, while jobs run and over restarts; the clock that
    only goes on is left alone, as the kernel does."""
    if not FAKETIME.exists():
        bench.skip("there is no libfaketime")
    clock = bench.folder / "clock"
    clock.write_text("+0\n")
    subject = Subject(bench.tools, bench.folder / "d", KEEP_ALL + "keep_time = \"10000d\"\n",  # else a year is too long
                      environment={"LD_PRELOAD": str(FAKETIME), "FAKETIME_TIMESTAMP_FILE": str(clock),
                                   "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
                                   "DONT_FAKE_MONOTONIC": "1"})
    load = Load(subject)
    jumps = ["+365d", "-730d", "+1", "-3600", "+3600", "-1", "+0"] * bench.counts["ROUNDS"]
    try:
        subject.start()
        load.begin(clients=3, pause_s=0.01)
        for turn in bench.rounds(len(jumps)):
            clock.write_text(jumps[turn] + "\n")
            time.sleep(0.6)
            subject.check_alive()
            if turn % 3 == 2:
                if subject.starts % 4 == 0:
                    load.check_all_ended()  # what runs at a fifth end would be given up
                subject.kill()
                subject.start()
        load.finish()
        load.check_all_ended()
        assert load.counts()["failed"] == 0, load.reasons()
        subject.check_all()
        return {"jumps": bench.done, "restarts": subject.starts - 1} | load.counts()
    finally:
        load.ending = True
        subject.end()


def processor_paused(bench):
    """The process is stopped for seconds in the middle of its work, as a machine does that is moved or suspended."""
    subject = Subject(bench.tools, bench.folder / "d", KEEP_ALL)
    load = Load(subject)
    try:
        subject.start()
        load.begin(clients=3, pause_s=0.01)
        for _ in bench.rounds(2 * bench.counts["ROUNDS"]):
            time.sleep(0.3)
            subprocess.run(["kill", "-STOP", str(subject.process.pid)], check=True)
            time.sleep(1.5)
            subprocess.run(["kill", "-CONT", str(subject.process.pid)], check=True)
        load.finish()
        load.check_all_ended()
        assert load.counts()["failed"] == 0, load.reasons()
        subject.check_all()
        return load.counts()
    finally:
        load.ending = True
        subject.end()


SCENARIOS = [little_memory, little_address_space, clock_jumps, processor_paused]
