#!/usr/bin/env python3
"""Two clients that nobody here wrote, generated from proto/ for Python and for Go, ask a real daemon for all four kinds of
proof at once, as the providers' software does: on a connection that is made when it is needed, with deadlines of thirty
minutes, again and again with the same id; the daemon is killed in between. Every proof is verified.

Usage: clients_test.py CUZK DAEMON KEYS GENERATED GO_CLIENT VARIANT     VARIANT: small (PoSt alone) or all

Exit status 77, with the reason, where the Python library of gRPC or the Go client is missing.
"""
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

try:
    import grpc
except ImportError as error:
    print(f"skipped: {error} (python3-grpcio)")
    sys.exit(77)

import callers
import contract
import dashboards
from daemon import Daemon

DEADLINE_S = 30 * 60
BETWEEN_ATTEMPTS_S = 0.2
MAX_MESSAGE = 256 << 20
KIND_NAMES = {callers.POREP: "porep-c2", callers.SNAP: "snap-update", callers.WINDOW: "window-post",
              callers.WINNING: "winning-post"}
CIRCUITS = {callers.POREP: "porep-2k", callers.SNAP: "snap-2k", callers.WINDOW: "wpost-2k",
            callers.WINNING: "winning-2k"}


class PythonClient:
    """As the Go client of the providers' software: one lazy connection, every proof by `Prove`, retries with the same
    id."""

    def __init__(self, address, generated):
        sys.path.insert(0, str(generated))
        from cuzk.v1 import proving_pb2, proving_pb2_grpc
        self.messages = proving_pb2
        limits = [("grpc.max_send_message_length", MAX_MESSAGE), ("grpc.max_receive_message_length", MAX_MESSAGE),
                  ("grpc.max_reconnect_backoff_ms", 1000)]
        self.calls = proving_pb2_grpc.ProvingEngineStub(grpc.insecure_channel(address, options=limits))
        self.results, self.attempts, self.errors = {}, {}, []

    def prove(self, name, request):
        """Stores the answer; a thread for each."""
        try:
            message = self.messages.ProveRequest(submit=self.messages.SubmitProofRequest(**request))
            self.results[name] = self.try_until_answered(name, message)
        except Exception as error:  # of a thread: told by the test
            self.errors.append((name, error))

    def try_until_answered(self, name, message):
        while True:
            self.attempts[name] = self.attempts.get(name, 0) + 1
            try:
                return self.calls.Prove(message, timeout=DEADLINE_S).result
            except grpc.RpcError as error:
                if error.code() != grpc.StatusCode.UNAVAILABLE:
                    raise
            time.sleep(BETWEEN_ATTEMPTS_S)

    def start(self, requests):
        threads = [threading.Thread(target=self.prove, args=item, daemon=True) for item in requests.items()]
        for thread in threads:
            thread.start()
        return threads


def wait_until(condition, daemon, what):
    while not condition():
        assert daemon.process.poll() is None, f"the daemon ended: {daemon.log()[-2000:]}"
        time.sleep(0.02)
    print(what, flush=True)


def watch_dashboards(daemon, seen, stop):
    """Every answer has every field, whatever runs; notes which states of partitions were seen."""
    while not stop.is_set():
        try:
            status = daemon.status()
        except OSError:  # it is being started again
            continue
        dashboards.check(status, dashboards.STATUS)
        for pipeline in status["pipelines"]:
            seen["kinds"].add(pipeline["proof_kind"])
            seen["states"].update(partition["state"] for partition in pipeline["partitions"])
        time.sleep(0.05)


def verify(cuzk, keys, folder, requests, proofs):
    """By `cuzk verify`, several partitions of one deadline merged as the chain gets them."""
    proof, given = folder / "proof", folder / "input"
    proof.write_bytes(b"".join(proofs))
    kind = callers.write_verify_input(given, requests)
    subprocess.run([cuzk, "verify", kind, given, proof, "--keys", keys], check=True)


def verify_all(cuzk, keys, folder, requests, results):
    groups = [[name] for name in requests if not name.startswith("window")] + [["window 0", "window 1"]]
    for names in groups:
        for name in names:
            assert len(results[name]) == 192, (name, len(results[name]))
        verify(cuzk, keys, folder, [requests[name] for name in names], [results[name] for name in names])


def completed_by_kind(requests):
    done = dict.fromkeys(dashboards.KINDS, 0)
    for request in requests.values():
        done[KIND_NAMES[request["proof_kind"]]] += 1
    return done


def read_go_results(folder, requests):
    return {name: (folder / name.replace(" ", "-")).read_bytes() for name in requests}


def check_what_calls_tell(client, requests):
    """GetStatus and GetMetrics after a restart in which nothing was proved, failures as answers, cancelling."""
    messages, calls = client.messages, client.calls
    status = calls.GetStatus(messages.GetStatusRequest(), timeout=60)
    assert [queue.proof_kind for queue in status.queues] == list(dashboards.KINDS), status
    assert all(queue.pending == queue.in_progress == 0 for queue in status.queues)
    known = {CIRCUITS[request["proof_kind"]] for request in requests.values()}  # others need have no file
    assert {key.circuit_id for key in status.loaded_srs} >= known, status.loaded_srs
    dashboards.check_metrics(calls.GetMetrics(messages.GetMetricsRequest(), timeout=60).prometheus_text,
                             dict.fromkeys(dashboards.KINDS, 0))
    wrong = dict(requests["winning"], request_id="winpost-1000-ffffffffffffffff", vanilla_proofs=[b"junk"])
    answer = calls.Prove(messages.ProveRequest(submit=messages.SubmitProofRequest(**wrong)), timeout=60).result
    assert answer.status == messages.AwaitProofResponse.FAILED, answer
    assert answer.error_message and not answer.proof, answer
    unspecified = messages.SubmitProofRequest(request_id="x")
    answer = calls.Prove(messages.ProveRequest(submit=unspecified), timeout=60).result
    assert answer.status == messages.AwaitProofResponse.FAILED and "proof_kind" in answer.error_message, answer
    preload = calls.PreloadSRS(messages.PreloadSrsRequest(circuit_id="winning-2k"), timeout=600)
    again = calls.PreloadSRS(messages.PreloadSrsRequest(circuit_id="winning-2k"), timeout=600)
    assert again.already_loaded, (preload, again)
    evicted = calls.EvictSRS(messages.EvictSrsRequest(circuit_id="winning-2k"), timeout=60)
    assert evicted.was_loaded and evicted.freed_bytes > 0, evicted


def check_impatient_callers(client):
    """A call whose deadline passes, and the same id again; a job that is submitted, cancelled and asked for."""
    messages, calls = client.messages, client.calls
    request = callers.winning("winning-2")
    message = messages.ProveRequest(submit=messages.SubmitProofRequest(**request))
    try:
        raise AssertionError(f"answered within a millisecond: {calls.Prove(message, timeout=0.001)}")
    except grpc.RpcError as error:
        assert error.code() == grpc.StatusCode.DEADLINE_EXCEEDED, error
    answer = client.try_until_answered("again", message)
    assert answer.status == messages.AwaitProofResponse.COMPLETED, answer
    jobs = calls.ListJobs(messages.ListJobsRequest(include_finished=True), timeout=60).jobs
    assert [job.job_id for job in jobs if job.request_id == request["request_id"]] == [answer.job_id], jobs

    request["request_id"] = "to be cancelled"
    submitted = calls.SubmitProof(messages.SubmitProofRequest(**request), timeout=60)
    waiting = calls.AwaitProof.future(messages.AwaitProofRequest(job_id=submitted.job_id), timeout=DEADLINE_S)
    calls.CancelProof(messages.CancelProofRequest(job_id=submitted.job_id), timeout=60)
    assert waiting.result().status == messages.AwaitProofResponse.CANCELLED, waiting.result()


def run(cuzk, program, keys, generated, go_client, variant, folder):
    requests = callers.requests({"small": callers.POSTS, "all": callers.BY_CLIENTS}[variant])
    daemon = Daemon(program, keys, folder)
    client = PythonClient(daemon.address, generated)
    contract.check(client.messages.DESCRIPTOR)
    callers.write_for_other_languages(folder / "requests.json", requests)
    go_results = folder / "go"
    go_results.mkdir()
    seen, watched = {"kinds": set(), "states": set()}, threading.Event()
    go = None
    try:
        threads = client.start(requests)  # nobody listens yet
        go = subprocess.Popen([go_client, daemon.address, folder / "requests.json", go_results])
        while any(name not in client.attempts for name in requests):
            time.sleep(0.01)
        daemon.start()
        watcher = threading.Thread(target=watch_dashboards, args=(daemon, seen, watched), daemon=True)
        watcher.start()
        wait_until(lambda: client.results, daemon, "the first proof is there: the daemon is killed")
        daemon.kill()
        told = dict(client.results)
        daemon.start()
        for thread in threads:
            thread.join()
        assert not client.errors, client.errors
        assert go.wait() == 0, "the Go client failed"
        watched.set()
        watcher.join()

        answers = client.results
        completed = client.messages.AwaitProofResponse.COMPLETED
        assert all(answer.status == completed for answer in answers.values()), answers
        proofs = {name: answer.proof for name, answer in answers.items()}
        assert len(set(proofs.values())) == len(requests), "an id that two inputs share is two jobs"
        assert len({answer.job_id for answer in answers.values()}) == len(requests)
        assert read_go_results(go_results, requests) == proofs, "the same request in another language is the same job"
        assert any(count > 1 for count in client.attempts.values()), client.attempts
        verify_all(cuzk, keys, folder, requests, proofs)
        made = {name: request for name, request in requests.items() if name not in told}
        counters = daemon.status()["counters"]
        assert counters["total_completed"] <= len(made) + 0, (counters, "what was told is proved again")
        dashboards.check_metrics(daemon.get("/metrics")[0], counters["completed_by_kind"])
        dashboards.check_status(daemon.status(), counters["completed_by_kind"])
        print(f"seen by dashboards: {seen}; attempts: {client.attempts}", flush=True)
        assert "gpu" in seen["states"], seen

        daemon.stop()
        daemon.start()
        for thread in client.start(requests):  # hours later: the answers come from the journal
            thread.join()
        assert not client.errors, client.errors
        assert {name: answer.proof for name, answer in client.results.items()} == proofs
        dashboards.check_status(daemon.status(), dict.fromkeys(dashboards.KINDS, 0))
        check_what_calls_tell(client, requests)
        check_impatient_callers(client)
        daemon.stop()
    except BaseException:
        print(daemon.log()[-4000:], file=sys.stderr)
        raise
    finally:
        watched.set()
        daemon.end()
        if go is not None and go.poll() is None:
            go.kill()
            go.wait()


def main():
    cuzk, program, keys, generated, go_client, variant = sys.argv[1:]
    if not Path(go_client).exists():
        print("skipped: there is no Go client: golang-go, golang-google-grpc-dev, protoc-gen-go or protoc-gen-go-grpc was "
              "missing when this was configured")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="cuzk_") as folder:
        run(cuzk, program, keys, generated, go_client, variant, Path(folder))
    print("all requests were answered, by proofs that hold")


main()
