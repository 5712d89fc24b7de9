"""Ends of the process."""
import random
import time

from load import Load
from subject import Subject

GIVEN_UP = "the daemon ended 5 times while this job ran"  # right: it may be the job that ends it
KEEP_ALL = "keep_count = 1000000\nkeep_size = \"8GiB\"\n"


def kill_at_random_moments(bench):
    """kill -9 in the middle of a mixed load, again and again: nothing that was acknowledged is lost, nothing that was told
    changes."""
    chance = random.Random(20261130)
    subject = Subject(bench.tools, bench.folder / "d", KEEP_ALL)
    load = Load(subject)
    starts = []
    try:
        for kill in bench.rounds(bench.counts["KILLS"]):
            begin = time.monotonic()
            subject.start()
            starts.append(time.monotonic() - begin)
            if kill == 0:
                load.begin(clients=4, pause_s=0.004)
            time.sleep(chance.random() * (0.05 if chance.random() < 0.3 else 0.7))
            subject.check_alive()
            subject.kill()
            assert not load.errors, load.errors[:3]
        subject.start()
        time.sleep(0.5)
        load.finish()
        load.check_all_ended(600)
        assert all(GIVEN_UP in reason for reason in load.reasons()), load.reasons()
        subject.check_all()
        return {"kills": bench.done, "start_s_worst": round(max(starts), 2)} | load.counts()
    finally:
        load.ending = True
        subject.end()


SCENARIOS = [kill_at_random_moments]
