"""Ends of the process and of the machine's power."""
import os
import random
import re
import subprocess
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
        for kill in range(bench.counts["KILLS"]):
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
        return {"kills": bench.counts["KILLS"], "start_s_worst": round(max(starts), 2)} | load.counts()
    finally:
        load.ending = True
        subject.end()


def power_lost(bench):
    """The journal on a disk that drops or tears what was not flushed (power_loss_test; its short form is a test of its
    own)."""
    losses = bench.counts["POWER_LOSSES"]
    test = bench.tools.build / "bin/power_loss_test"
    if losses == 0 or not test.exists():
        bench.skip("the test power_loss runs by itself" if losses == 0 else f"{test} is not built")
    done = subprocess.run([test, "--gtest_brief=1"], env=os.environ | {"CUZK_POWER_LOSSES": str(losses)},
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    return {"power losses": losses}


# Tests of the other folders that have a longer form: program, filter, environment.
LONGER = [("journal_crash", "engine_test", "JournalCrash.*", {}),
          ("daemon_crash", "server_test", "CrashTest.*", {"CUZK_KILLS": "200"}),
          ("kinds_crash", "server_kinds_test", "*", {"CUZK_KILLS": "40"}),
          ("full_disk_and_damage", "engine_test", "JournalRecovery.*:SmallDisk.*", {}),
          ("wrong_proofs", "engine_test", "WrongProofs*:EngineDevices*", {}),
          ("malformed_requests", "server_test", "*Malformed*", {})]


def longer_forms_of_other_tests(bench):
    """What the tests of engine and server show already, with more rounds."""
    if bench.counts["POWER_LOSSES"] == 0:
        bench.skip("they run by themselves")
    figures = {}
    for name, program, chosen, environment in LONGER:
        test = bench.tools.build / "bin" / program
        if not test.exists():
            figures[name] = "not built"
            continue
        done = subprocess.run([test, f"--gtest_filter={chosen}"], capture_output=True, text=True, check=False,
                              env=os.environ | {"CUZK_CIRCUITS": str(bench.folder / "circuits")} | environment)
        assert done.returncode == 0, f"{program} {chosen}: {done.stdout[-2000:]}"
        figures[name] = int(re.search(r"\[  PASSED  \] (\d+)", done.stdout)[1])
    return figures


SCENARIOS = [kill_at_random_moments, power_lost, longer_forms_of_other_tests]
