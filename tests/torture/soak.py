"""Mixed small proofs with faults for minutes: memory, descriptors and threads stay where they were."""
import random
import statistics
import time

from clients import MANNERS, send_pieces
from load import Load
from subject import Subject, until

FAULTS = ("journal.commit=sleep:2,rpc.work=sleep:3,key.read=error:unavailable@2000*50,"
          "memory.take=error:resource_exhausted@50000*300,sqlite.step=error:unavailable@20000*100")


def soak(bench):
    """Clients of all manners and, where the build has failpoints, every so often a file, the journal or an allocation that
    fails. A slope is what the last fifth has more than the second."""
    minutes = bench.counts["MINUTES"]
    if minutes == 0:
        bench.skip("CUZK_TORTURE_MINUTES is 0")
    chance, kept, pause_s = random.Random(7), [], bench.counts["PAUSE_MS"] / 1000
    faults = bench.tools.has_failpoints()
    armed = FAULTS if faults else ""
    subject = Subject(bench.tools, bench.folder / "d", "keep_count = 500\nkeep_size = \"4MiB\"\nkeep_traces = 50\n",
                      environment={"CUZK_FAILPOINTS": armed})
    load = Load(subject)
    samples, told = [], 0
    try:
        subject.start()
        load.begin(clients=3, pause_s=pause_s)
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
            if now * 20 > told * minutes * 60:
                told += 1
                bench.say(f"{now / 60:.1f} of {minutes:g} min, {subject.cpu_s():.0f} CPU-s, {load.next} steps: "
                          f"{samples[-1][1]} KiB, {samples[-1][2]} descriptors, {samples[-1][3]} threads")
            time.sleep(15 * pause_s)
        load.finish()
        for connection in kept:
            connection.close()
        until(subject.is_idle, 300, "jobs that wait")
        cpu_s = subject.cpu_s()
        figures = {name: figures_of(samples, column) for column, name in ((1, "KiB"), (2, "descriptors"), (3, "threads"))}
        for name, allowed in (("KiB", 64 << 10), ("descriptors", 30), ("threads", 10)):
            assert figures[name]["late"] <= figures[name]["early"] + allowed, f"{name} grow: {figures}"
        subject.check_all()
        return {"minutes": minutes, "CPU-s": round(cpu_s), "failpoints": armed or "not in this build",
                "steps": load.next} | figures
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
    fifths = [[sample[column] for sample in samples[len(samples) * i // 5:len(samples) * (i + 1) // 5]] for i in range(5)]
    every = max(1, len(samples) // 10)
    return {"early": round(statistics.median(fifths[1])), "late": round(statistics.median(fifths[4])),
            "by fifths": [round(statistics.median(fifth)) for fifth in fifths],
            "over time": [sample[column] for sample in samples[::every]]}


SCENARIOS = [soak]
