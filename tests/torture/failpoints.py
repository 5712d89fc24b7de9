"""Every place of the program that can be made to fail, one at a time, over a whole mixed workload."""
import re
from pathlib import Path

import grpc

from load import AGAIN, COMPLETED, Load, large, toy, window
from subject import WINDOW, Subject

ROOT = Path(__file__).resolve().parent.parent.parent

# Places that no workload of a daemon on the processor passes, and one for an end of the process alone: others' tests do.
ELSEWHERE = re.compile(r"cuda\.|farm\.|journal\.set_aside|journal\.acknowledge")


def places_in_the_source():
    """The names that stand in the code."""
    text = "\n".join(file.read_text() for file in (ROOT / "src").rglob("*.cpp") if "/cuda/" not in str(file))
    return set(re.findall(r'CUZK_FAILPOINT\("([^"]+)"\)', text))


def workload(subject, load):
    """Everything that a daemon does, once or a few times. Errors are right, silence and hanging are not."""
    messages, calls = subject.tools.messages, subject.calls
    jobs = []
    for request in [toy(1), window(1), large(100_000), toy(2), window(2), toy(3), toy(4)]:
        jobs.append(tolerant(lambda request=request: load.submit(request, patience_s=1)))
    tolerant(lambda: calls.Prove(messages.ProveRequest(submit=messages.SubmitProofRequest(request_id="p", **toy(0))), timeout=60))
    tolerant(lambda: calls.CancelProof(messages.CancelProofRequest(job_id=jobs[3] or "none"), timeout=30))
    tolerant(lambda: calls.GetStatus(messages.GetStatusRequest(), timeout=30))
    tolerant(lambda: calls.GetMetrics(messages.GetMetricsRequest(), timeout=30))
    tolerant(lambda: calls.ListJobs(messages.ListJobsRequest(include_finished=True), timeout=30))
    tolerant(lambda: calls.PreloadSRS(messages.PreloadSrsRequest(circuit_id=WINDOW), timeout=60))
    tolerant(lambda: list(calls.WatchProof(messages.WatchProofRequest(job_id=jobs[0] or "none"), timeout=30)))
    tolerant(subject.page)
    for job in filter(None, jobs):
        end_of(load, job)
    tolerant(lambda: calls.EvictSRS(messages.EvictSrsRequest(circuit_id=WINDOW), timeout=30))


def end_of(load, job):
    for _ in range(60):
        if tolerant(lambda: load.look(job, 1000)) in (1, 2, 3):
            return
    raise AssertionError(f"{job} does not end")


def tolerant(call):
    """What a call gives, or None where it was answered with an error."""
    try:
        return call()
    except grpc.RpcError as error:
        assert error.details(), f"{error.code()} without a word"
        assert error.code() not in AGAIN or "failpoint" in error.details(), f"{error.code()}: {error.details()}"
        return None
    except OSError:  # of HTTP: status 500
        return None


def proves(load, request):
    """Whether it still proves; where what was armed comes only now, which it does once, the second time."""
    for _ in range(2):
        job = load.submit(request)
        if (load.look(job, 30000) or load.look(job, 30000)) == COMPLETED:
            return True
        if "failpoint" not in (load.accepted[job] or ("", ""))[1]:
            return False
    return False


def play(bench, folder, armed):
    """The workload with one place armed. Returns whether the daemon came up, and its counts of passes."""
    counts = folder / "counts"
    subject = Subject(bench.tools, folder, environment={"CUZK_FAILPOINTS": armed, "CUZK_FAILPOINT_COUNTS": str(counts)})
    load = Load(subject)
    came_up = False
    try:
        subject.launch()
        came_up = subject.process.stdout.readline().startswith(b"ready ")
        if not came_up:  # the start itself failed: with a reason, and the next one gets through
            status = subject.process.wait(60)
            assert status == 1 and "failpoint" in subject.log(), f"{armed}: status {status}: {subject.log()[-1000:]}"
            subject.environment = {}
            subject.start()
        else:
            subject.connect()
        workload(subject, load)
        assert proves(load, toy(9)) and proves(load, window(9)), "it does not prove any more"
        load.check_all_ended()
        subject.check_all()
    except Exception as error:
        raise AssertionError(f"{armed}: {error}") from error
    finally:
        subject.end()
    passes = dict(line.split() for line in counts.read_text().splitlines()) if counts.exists() else {}
    return came_up, {place: int(count) for place, count in passes.items()}


def passes_to_fail(count, more):
    """Which of so many passes fail: the first, and as many others, spread over all."""
    return sorted({0} | {count * (i + 1) // (more + 1) for i in range(more) if count > 1})


def every_failpoint(bench):
    """One pass of one place fails, everything else must go on; the places are those in the source."""
    if not bench.tools.has_failpoints():
        bench.skip("this build has no failpoints (CUZK_FAILPOINTS)")
    _, passes = play(bench, bench.folder / "none", "")
    missing = {place for place in places_in_the_source() - set(passes) if not ELSEWHERE.match(place)}
    assert not missing, f"the workload does not pass {sorted(missing)}"
    places = sorted(place for place in passes if not ELSEWHERE.match(place))
    each = [(place, skip) for more in range(bench.counts["PASSES"] + 1) for place in places
            for skip in passes_to_fail(passes[place], bench.counts["PASSES"])[more:more + 1]]  # all once, then further
    stopped = 0
    for turn in bench.rounds(len(each)):
        place, skip = each[turn]
        came_up, _ = play(bench, bench.folder / f"{place}.{skip}", f"{place}=error:unavailable@{skip}*1")
        stopped += not came_up
    return {"places": len(places), "passes": sum(passes.values()), "made to fail": bench.done, "at the start": stopped}


SCENARIOS = [every_failpoint]
