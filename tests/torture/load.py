"""Mixed small proofs by many clients: what was accepted must end, with its proof or a reason, and what was told once must
be told the same ever after."""
import json
import random
import sys
import threading
import time
from pathlib import Path

import grpc

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "clients"))
import callers  # noqa: E402
from subject import VECTORS  # noqa: E402

COMPLETED, FAILED, CANCELLED, TIMEOUT = 1, 2, 3, 4
AGAIN = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}
OPEN_JOBS = 40  # of a mixture: it goes on for hours, and its end should not
REFUSED = {grpc.StatusCode.RESOURCE_EXHAUSTED}


def toy(number):
    inputs = json.loads((VECTORS / "proofs/toy.json").read_text())["x"]
    return {"proof_kind": callers.POREP, "vanilla_proof": inputs[number % len(inputs)].encode(), "priority": 2}


def window(number):
    request = callers.window_partitions()[number % 2]
    del request["request_id"]
    return request


def large(size):
    """A request that is no proof, of so many bytes: it is stored, read and fails with a reason."""
    return {"proof_kind": callers.POREP, "vanilla_proof": b'{"' + b"x" * (size - 2), "priority": 2}


class Load:
    """Accepted jobs and what came of them. Any thread may call; a daemon that is away is waited for."""

    def __init__(self, subject, seed=1, name="job"):
        self.subject, self.random, self.name = subject, random.Random(seed), name
        self.lock = threading.Lock()
        self.next, self.refusals, self.errors = 0, 0, []
        self.accepted = {}  # job id -> (status, proof or message); None: not told yet
        self.ending = False

    def number(self):
        with self.lock:
            self.next += 1
            return self.next

    def submit(self, request, patience_s=120):
        """Returns the job's id, or None where it was refused."""
        messages = self.subject.tools.messages
        message = messages.SubmitProofRequest(request_id=f"{self.name} {self.number()}", **request)
        end = time.monotonic() + patience_s
        while True:
            try:
                job = self.subject.calls.SubmitProof(message, timeout=30).job_id
                with self.lock:
                    self.accepted.setdefault(job, None)
                return job
            except (grpc.RpcError, ValueError) as error:  # ValueError: the channel was closed for a new one
                if isinstance(error, grpc.RpcError) and error.code() in REFUSED:
                    with self.lock:
                        self.refusals += 1
                    return None
                if isinstance(error, grpc.RpcError) and error.code() not in AGAIN or time.monotonic() > end or self.ending:
                    raise
            time.sleep(0.02)

    def look(self, job, timeout_ms):
        """Asks for a result and compares it with what was told before; the status, or None for no answer."""
        request = self.subject.tools.messages.AwaitProofRequest(job_id=job, timeout_ms=timeout_ms)
        try:
            answer = self.subject.calls.AwaitProof(request, timeout=timeout_ms / 1000 + 30)
        except (grpc.RpcError, ValueError) as error:
            if isinstance(error, grpc.RpcError) and error.code() not in AGAIN | {grpc.StatusCode.CANCELLED}:
                raise
            return None
        if answer.status in (COMPLETED, FAILED, CANCELLED):
            self.remember(job, answer)
        return answer.status

    def remember(self, job, answer):
        told = (answer.status, answer.proof if answer.status == COMPLETED else answer.error_message)
        if answer.status == COMPLETED:
            assert len(answer.proof) == 192, f"{job}: a proof of {len(answer.proof)} bytes"
        else:
            assert answer.error_message, f"{job}: ended without a proof and without a reason"
        with self.lock:
            before = self.accepted.get(job)
            assert before is None or before == told, f"{job}: what was told has changed: {before} -> {told}"
            self.accepted[job] = told

    def check_all_ended(self, patience_s=120):
        """Every job that was accepted has ended, and what was told is told again."""
        end = time.monotonic() + patience_s
        for job in list(self.accepted):
            while self.look(job, 1000) not in (COMPLETED, FAILED, CANCELLED):
                assert time.monotonic() < end, f"{job} has not ended after {patience_s} s"

    def counts(self):
        states = [told[0] if told else None for told in self.accepted.values()]
        return {"accepted": len(states), "proved": states.count(COMPLETED), "failed": states.count(FAILED),
                "cancelled": states.count(CANCELLED), "refused": self.refusals}

    def reasons(self):
        """Of the jobs that failed, without their numbers."""
        return sorted({told[1] for told in self.accepted.values() if told and told[0] == FAILED})

    def open_jobs(self):
        """Whose end nobody was told."""
        with self.lock:
            return sum(told is None for told in self.accepted.values())

    # A mixture that goes on until it is told to end.

    def step(self):
        number = self.number()
        choice = self.random.random()
        calls, messages = self.subject.calls, self.subject.tools.messages
        if choice < 0.63 and self.open_jobs() >= OPEN_JOBS:
            self.look(self.random.choice(list(self.accepted)), 1 + self.random.randrange(50))
        elif choice < 0.60:
            self.submit(toy(number))
        elif choice < 0.62:
            self.submit(window(number))
        elif choice < 0.70 and self.accepted:
            job = self.random.choice(list(self.accepted))
            calls.CancelProof(messages.CancelProofRequest(job_id=job), timeout=30)
        elif choice < 0.92 and self.accepted:
            self.look(self.random.choice(list(self.accepted)), 1 + self.random.randrange(50))
        elif choice < 0.96:
            calls.GetStatus(messages.GetStatusRequest(), timeout=30)
        else:
            calls.ListJobs(messages.ListJobsRequest(include_finished=True, limit=50), timeout=30)

    def go_on(self, pause_s=0.0):
        while not self.ending:
            try:
                self.step()
            except grpc.RpcError as error:
                if error.code() not in AGAIN | {grpc.StatusCode.NOT_FOUND, grpc.StatusCode.CANCELLED}:
                    self.errors.append(f"{error.code()}: {error.details()}")
            except ValueError:  # the channel was closed for a new one
                pass
            except Exception as error:  # of a thread: told by check()
                self.errors.append(repr(error))
                return
            time.sleep(pause_s)

    def begin(self, clients, pause_s=0.0):
        self.threads = [threading.Thread(target=self.go_on, args=(pause_s,), daemon=True) for _ in range(clients)]
        for thread in self.threads:
            thread.start()

    def finish(self):
        self.ending = True
        for thread in self.threads:
            thread.join(60)
            assert not thread.is_alive(), "a client hangs"
        assert not self.errors, self.errors[:5]
