"""Tests of other folders that have a longer form, or whose faults belong to the picture: `make test` runs them by itself, the
long form here, with more rounds."""
import re

ONLY_LONG = "it runs by itself in make test"


def long_form(bench, program, chosen, **environment):
    """The figures of a test program's run."""
    if not bench.is_long:
        bench.skip(ONLY_LONG)
    text = bench.run_test(program, chosen, **environment)
    passed, skipped = (re.search(rf"\[  {word}  \] (\d+)", text) for word in ("PASSED", "SKIPPED"))
    if passed is None or int(passed[1]) == 0:
        bench.skip(next((line for line in text.splitlines() if "Skipped" in line or "no " in line), "all were skipped"))
    figures = {"tests": int(passed[1])} | ({"skipped": int(skipped[1])} if skipped else {})
    told = re.findall(r"^figures: (.*)$", text, re.MULTILINE)
    return figures | environment | ({"told": "; ".join(told)} if told else {})


def power_lost(bench):
    """The journal on a disk that drops or tears what was not flushed."""
    return long_form(bench, "power_loss_test", "*", CUZK_POWER_LOSSES=str(bench.counts["POWER_LOSSES"]))


def journal_killed(bench):
    """At 200 random moments, and between any two of its steps."""
    return long_form(bench, "engine_test", "JournalCrash.*")


def daemon_killed(bench):
    return long_form(bench, "server_test", "CrashTest.*", CUZK_KILLS=str(bench.counts["DAEMON_KILLS"]))


def daemon_with_several_kinds_killed(bench):
    return long_form(bench, "server_kinds_test", "*", CUZK_KILLS=str(bench.counts["KIND_KILLS"]))


def farm_killed(bench):
    """Four daemons on a PostgreSQL: killed at random, cut off, the database stopped."""
    return long_form(bench, "farm_daemons_test", "FarmDaemonsTest.*", CUZK_KILLS=str(bench.counts["FARM_KILLS"]))


def every_failpoint_of_a_farm(bench):
    """Each call of the database and of the object directory."""
    places = {"CUZK_FARM_FAILPOINTS": ".*"} if bench.counts["PASSES"] > 0 else {}
    minutes = {"CUZK_FARM_MINUTES": str(bench.minutes)} if bench.minutes is not None else {}
    return long_form(bench, "farm_daemons_test", "FailpointWalk.*", **places, **minutes)


def journal_damaged(bench):
    """Its files full, damaged, of others."""
    return long_form(bench, "engine_test", "JournalRecovery.*:SmallDisk.*")


def wrong_proofs(bench):
    return long_form(bench, "engine_test", "WrongProofs*:EngineDevices*")


def malformed_requests(bench):
    return long_form(bench, "server_test", "*Malformed*")


SCENARIOS = [power_lost, journal_killed, daemon_killed, daemon_with_several_kinds_killed, farm_killed,
             every_failpoint_of_a_farm, journal_damaged, wrong_proofs, malformed_requests]
