#!/usr/bin/env python3
"""All kinds of proof in process at once, by the functions that the Python example has.

Usage: all_kinds.py KEYS     with examples/python and tests/clients in PYTHONPATH, the library in CUZK_LIBRARY
"""
import sys

import callers
import cuzk


def main():
    requests = callers.requests(callers.IN_PROCESS)
    kinds = {name: request.pop("proof_kind") for name, request in requests.items()}
    with cuzk.Engine(f'[srs]\nparam_cache = "{sys.argv[1]}"\n') as engine:
        jobs = {name: engine.submit(kinds[name], **request) for name, request in requests.items()}
        assert len({job.id for job in jobs.values()}) == len(jobs), "an id that two inputs share is two jobs"
        proofs = {name: job.wait() for name, job in jobs.items()}
        for name, proof in proofs.items():
            assert len(proof) == 192, name
            assert engine.verify(proof, kinds[name], **requests[name]), name
        assert not engine.verify(proofs["snap"], kinds["market porep"], **requests["market porep"]), "a proof of something else"
        counters = engine.status()["counters"]
    assert counters["total_completed"] == len(jobs), counters
    print(f"{len(jobs)} proofs made and verified: {counters['completed_by_kind']}")


main()
