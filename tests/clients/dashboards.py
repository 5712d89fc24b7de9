"""What existing dashboards read: the fields of the status JSON and the names of the metrics, one by one."""
import re

KINDS = ("porep-c2", "snap-update", "window-post", "winning-post")


class Number:
    """A whole number that is not negative."""
    @staticmethod
    def check(value, where):
        assert isinstance(value, int) and not isinstance(value, bool) and value >= 0, (where, value)


class Text:
    @staticmethod
    def check(value, where):
        assert isinstance(value, str), (where, value)


class Flag:
    @staticmethod
    def check(value, where):
        assert isinstance(value, bool), (where, value)


class OneOf:
    def __init__(self, *values):
        self.values = values

    def check(self, value, where):
        assert value in self.values, (where, value)


class ListOf:
    def __init__(self, item):
        self.item = item

    def check(self, value, where):
        assert isinstance(value, list), (where, value)
        for i, each in enumerate(value):
            check(each, self.item, f"{where}[{i}]")


BY_KIND = {kind: Number for kind in KINDS}
PARTITION = {"index": Number,
             "state": OneOf("pending", "synthesizing", "synth_done", "gpu", "done", "failed"),
             "synth_ms": Number, "gpu_ms": Number}
ALLOCATION = {"circuit_id": Text, "bytes": Number, "last_used_secs_ago": Number, "evictable": Flag}
STATUS = {
    "uptime_secs": Number,
    "memory": {"total_bytes": Number, "used_bytes": Number, "available_bytes": Number},
    "synthesis": {"max_concurrent": Number, "active": Number},
    "pipelines": ListOf({"job_id": Text, "proof_kind": OneOf(*KINDS), "started_secs_ago": Number,
                         "total_partitions": Number, "partitions_done": Number, "partitions": ListOf(PARTITION)}),
    "gpu_workers": ListOf({"worker_id": Number, "gpu_ordinal": Number, "state": Text, "current_job": Text,
                           "current_partition": Number, "busy_secs": Number}),
    "allocations": {"srs": ListOf(ALLOCATION), "pce": ListOf(ALLOCATION)},
    "counters": {"total_completed": Number, "total_failed": Number, "completed_by_kind": BY_KIND,
                 "failed_by_kind": BY_KIND, "queue_depth": Number},
    "buffers": {"synth_in_flight": Number, "provers_in_flight": Number, "aux_in_flight": Number,
                "shells_in_flight": Number, "pending_handles": Number},
}


def check(value, shape, where="status"):
    """Every field of the shape is there and of its type; there may be more."""
    if not isinstance(shape, dict):
        return shape.check(value, where)
    assert isinstance(value, dict), (where, value)
    for name, inner in shape.items():
        assert name in value, f"{where} has no {name}, only {', '.join(value)}"
        check(value[name], inner, f"{where}.{name}")


def check_status(status, done):
    """done: completed proofs by kind since the daemon's start."""
    check(status, STATUS)
    counters = status["counters"]
    assert counters["completed_by_kind"] == done, (counters, done)
    assert counters["total_completed"] == sum(done.values()), counters
    assert counters["total_failed"] == sum(counters["failed_by_kind"].values()), counters


METRICS = {"cuzk_proofs_completed_total": "counter", "cuzk_proofs_failed_total": "counter", "cuzk_uptime_seconds": "gauge",
           "cuzk_queue_depth": "gauge", "cuzk_proofs_completed": "counter", "cuzk_proofs_failed": "counter",
           "cuzk_proof_duration_seconds": "summary", "cuzk_running_jobs": "gauge", "cuzk_gpu_workers": "gauge"}


def samples_of(text):
    """{name: {kind or "": value}} of the lines that have no label but proof_kind."""
    samples = {}
    for line in text.splitlines():
        if found := re.fullmatch(r'(\w+)(?:\{proof_kind="(\w+)"\})? (\S+)', line):
            name, kind, value = found.groups()
            samples.setdefault(name, {})[kind or ""] = float(value)
    return samples


def check_metrics(text, done):
    types = dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.M))
    for name, kind in METRICS.items():
        assert types.get(name) == kind, (name, types.get(name))
    samples = samples_of(text)
    labels = {kind.replace("-", "_"): count for kind, count in done.items()}
    assert samples["cuzk_proofs_completed"] == labels, samples["cuzk_proofs_completed"]
    assert samples["cuzk_proof_duration_seconds_count"] == labels
    assert set(samples["cuzk_proofs_failed"]) == set(samples["cuzk_proof_duration_seconds_sum"]) == set(labels)
    for kind, count in labels.items():
        assert (samples["cuzk_proof_duration_seconds_sum"][kind] > 0) == (count > 0), kind
    assert samples["cuzk_proofs_completed_total"] == {"": sum(done.values())}
    for name in ("cuzk_proofs_failed_total", "cuzk_uptime_seconds", "cuzk_queue_depth", "cuzk_running_jobs",
                 "cuzk_gpu_workers"):
        assert set(samples[name]) == {""}, name
    assert samples["cuzk_gpu_workers"][""] >= 1
