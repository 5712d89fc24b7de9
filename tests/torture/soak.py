"""Mixed small proofs with faults for minutes: memory, descriptors and threads stay where they were."""
import random
import statistics
import time

from clients import MANNERS, send_pieces
from load import Load
from subject import Subject, until

WARM_UP = 0.2  # of the time: caches fill
FAULTS = ("journal.commit=sleep:2,rpc.work=sleep:3,key.read=error:unavailable@2000*50,"
          "memory.take=error:resource_exhausted@50000*300,sqlite.step=error:unavailable@20000*100")


def soak(bench):
    """Clients of all manners and, where the build has failpoints, every so often a file, the journal or an allocation that
    fails. A slope is what the last fifth has more than the second."""
    minutes = bench.counts["MINUTES"]
    if minutes == 0:
        bench.skip("CUZK_TORTURE_MINUTES is 0")
    chance, kept = random.Random(7), []
    faults = bench.tools.has_failpoints()
    armed = FAULTS if faults else ""
    subject = Subject(bench.tools, bench.folder / "d", "keep_count = 500\nkeep_size = \"4MiB\"\nkeep_traces = 50\n",
                      environment={"CUZK_FAILPOINTS": armed})
    load = Load(subject)
    samples = []
    try:
        subject.start()
        load.begin(clients=3, pause_s=0.02)
        begin = time.monotonic()
        while (now := time.monotonic() - begin) < minutes * 60:
            send_pieces(subject.socket, chance.choice(list(MANNERS.values())), chance, kept)
            while len(kept) > 20:
                kept.pop(0).close()
            if chance.random() < 0.1:
                subject.evicts(subject.tools.messages, "wpost-2k")
            forget_old(load)
            subject.check_alive()
            samples.append((now, subject.resident() >> 10, subject.descriptors(), subject.threads()))
            time.sleep(0.3)
        load.finish()
        for connection in kept:
            connection.close()
        until(subject.is_idle, 300, "jobs that wait")
        figures = {name: figures_of(samples, column) for column, name in ((1, "KiB"), (2, "descriptors"), (3, "threads"))}
        for name, allowed in (("KiB", 64 << 10), ("descriptors", 30), ("threads", 10)):
            assert figures[name]["late"] <= figures[name]["early"] + allowed, f"{name} grow: {figures}"
        subject.check_all()
        return {"minutes": minutes, "failpoints": armed or "not in this build", "jobs": load.next} | figures
    finally:
        load.ending = True
        subject.end()


def forget_old(load):
    """The daemon forgets what ended long ago, and so must who asks for it."""
    with load.lock:
        for job in list(load.accepted)[:-200]:
            if load.accepted[job] is not None:
                del load.accepted[job]


def figures_of(samples, column):
    early = [sample[column] for sample in samples[int(len(samples) * WARM_UP):int(len(samples) * 2 * WARM_UP)]]
    late = [sample[column] for sample in samples[int(len(samples) * (1 - WARM_UP)):]]
    every = max(1, len(samples) // 10)
    return {"early": round(statistics.median(early)), "late": round(statistics.median(late)),
            "over time": [sample[column] for sample in samples[::every]]}


SCENARIOS = [soak]
