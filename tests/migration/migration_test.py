#!/usr/bin/env python3
"""Our daemon in the place of an existing one: started under its name, with its flags and its file, asked by a client that was
generated for Python, watched by the dashboards' requests.

Usage: migration_test.py DAEMON KEYS GENERATED     exit status 77 without python3-grpcio
"""
import json
import signal
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

try:
    import grpc
except ImportError as error:
    print(f"skipped: {error} (python3-grpcio)")
    sys.exit(77)

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "clients"))
import callers  # noqa: E402
import contract  # noqa: E402
from daemon import free_port  # noqa: E402

WITHOUT_EFFECT = ("memory.eviction_min_idle", "gpus.gpu_threads", "gpus.gpu_workers_per_device", "pipeline.enabled",
                  "pipeline.synthesis_lookahead", "pipeline.synthesis_concurrency", "pipeline.max_parallel_synthesis",
                  "pipeline.max_gpu_queue_depth")
METRICS = ("cuzk_proofs_completed_total", "cuzk_proofs_failed_total", "cuzk_uptime_seconds", "cuzk_queue_depth",
           'cuzk_proofs_completed{proof_kind="winning_post"}', 'cuzk_proofs_failed{proof_kind="window_post"}',
           'cuzk_proof_duration_seconds_count{proof_kind="winning_post"}', "cuzk_running_jobs", "cuzk_gpu_workers")
DEADLINE_S = 300


class Existing:
    """An installation's file with the directories of this machine, and the daemon started as its unit does."""

    def __init__(self, program, keys, folder):
        self.socket, self.http, self.log = folder / "cuzk.sock", f"127.0.0.1:{free_port()}", folder / "log"
        file = folder / "cuzk.toml"
        text = (HERE / "existing.toml").read_text()
        file.write_text(text.replace("/data/zk/params", str(keys)).replace("127.0.0.1:9821", self.http))
        with self.log.open("wb") as log:
            self.process = subprocess.Popen([program, "--config", file, "--listen", f"unix://{self.socket}", "--log-level", "info"],
                                            stdout=subprocess.DEVNULL, stderr=log)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(60) == 0, self.process.returncode

    def get(self, path):
        with urllib.request.urlopen(f"http://{self.http}{path}") as answer:
            return answer.read().decode()


def client(installation, generated):
    """Lazily connected, without credentials, with the message limit that the existing client has."""
    sys.path.insert(0, str(generated))
    from cuzk.v1 import proving_pb2, proving_pb2_grpc
    limit = 256 << 20
    channel = grpc.insecure_channel(f"unix://{installation.socket}", options=[
        ("grpc.max_send_message_length", limit), ("grpc.max_receive_message_length", limit)])
    contract.check(proving_pb2.DESCRIPTOR)
    return proving_pb2, proving_pb2_grpc.ProvingEngineStub(channel)


def prove(messages, calls, request):
    message = messages.ProveRequest(submit=messages.SubmitProofRequest(**request))
    result = calls.Prove(message, timeout=DEADLINE_S, wait_for_ready=True).result
    assert result.status == messages.AwaitProofResponse.COMPLETED, result.error_message
    return result.proof


def check_proofs(messages, calls):
    assert len(prove(messages, calls, callers.winning())) == 192
    first, second = callers.window_partitions()  # the same id, other inputs: two jobs, two proofs
    proofs = [prove(messages, calls, request) for request in (first, second)]
    assert [len(proof) for proof in proofs] == [192, 192] and proofs[0] != proofs[1]
    assert prove(messages, calls, first) == proofs[0], "the same request again is answered with the same proof"


def check_failure_is_an_answer(messages, calls):
    request = callers.winning() | {"request_id": "broken", "vanilla_proofs": [b"no proof"]}
    result = calls.Prove(messages.ProveRequest(submit=messages.SubmitProofRequest(**request)), timeout=DEADLINE_S).result
    assert result.status == messages.AwaitProofResponse.FAILED and result.error_message, result


def check_dashboards(installation, messages, calls):
    told = installation.get("/metrics")
    asked = calls.GetMetrics(messages.GetMetricsRequest()).prometheus_text
    for name in METRICS:
        assert any(line.startswith(name) for line in told.splitlines()), f"{name} is not in /metrics"
        assert any(line.startswith(name) for line in asked.splitlines()), f"{name} is not in GetMetrics"
    counters = json.loads(installation.get("/status"))["counters"]
    assert counters["total_completed"] == 3 and counters["total_failed"] == 1, counters


def check_log(installation):
    log = installation.log.read_text()
    for key in WITHOUT_EFFECT:
        assert key in log, f"the log does not say that {key} has no effect"


def main():
    program, keys, generated = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        installation = Existing(program, keys, Path(folder))
        try:
            messages, calls = client(installation, generated)
            check_proofs(messages, calls)
            check_failure_is_an_answer(messages, calls)
            check_dashboards(installation, messages, calls)
            check_log(installation)
            installation.stop()
        except BaseException:
            print(installation.log.read_text()[-4000:])
            raise
        finally:
            if installation.process.poll() is None:
                installation.process.kill()
                installation.process.wait()
    print("the existing configuration, flags, client and dashboards work")


if __name__ == "__main__":
    main()
