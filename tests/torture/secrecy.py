"""What must never be told: r, s, witnesses, requests. The log is at its most talkative, and requests fail in many
ways."""
import base64
import json

from load import COMPLETED, Load, toy, window
from subject import VECTORS, Subject

PIECE = 12  # bytes that come together by accident nowhere


def writings(secret):
    """How bytes are written in a text."""
    yield secret.hex()
    yield secret[::-1].hex()
    yield base64.b64encode(secret).decode().rstrip("=")
    yield str(int.from_bytes(secret, "little"))
    yield str(int.from_bytes(secret, "big"))
    yield ", ".join(map(str, secret))


def blindings():
    """Those of the vectors, with which this daemon proves."""
    found = json.loads((VECTORS / "proofs/toy.json").read_text())
    return [bytes.fromhex(proof[name]) for partition in found["partitions"] for proof in partition["proofs"]
            for name in ("r", "s") if int(proof[name], 16) > 1 << 64]


def pieces_of(proof):
    """Of a vanilla proof, whose hashes are parts of the witness."""
    return [proof[at:at + PIECE] for at in range(64, len(proof) - PIECE, 499) if len(set(proof[at:at + PIECE])) > PIECE // 2]


def damaged(request):
    """The same with a byte changed, once in each of several places."""
    (first, *others) = request["vanilla_proofs"]
    for at in range(10, len(first), len(first) // 8):
        yield request | {"vanilla_proofs": [first[:at] + bytes([first[at] ^ 1]) + first[at + 1:], *others]}


def no_secret_in_logs(bench):
    """Neither in the log nor in what HTTP tells."""
    subject = Subject(bench.tools, bench.folder / "d", "[logging]\nlevel = \"trace\"\n")
    load = Load(subject)
    try:
        subject.start("--insecure-fixed-rs", str(VECTORS / "proofs/toy.json"))
        assert load.look(load.submit(toy(0)), 60000) == COMPLETED
        for request in [window(0), *damaged(window(0)), toy(1), toy(1) | {"vanilla_proof": b"9" * 64}]:
            load.submit(request)
        load.check_all_ended()
        told = subject.log() + json.dumps(subject.page()) + "".join(load.reasons())
        subject.check_all()
        secrets = blindings() + [piece for proof in window(0)["vanilla_proofs"] for piece in pieces_of(proof)]
        assert len(secrets) > 10, "nothing to look for"
        for secret in secrets:
            for text in writings(secret):
                assert text not in told, f"a secret is told as {text[:6]}..."
        return {"secrets": len(secrets), "bytes of text": len(told)} | load.counts()
    finally:
        subject.end()


SCENARIOS = [no_secret_in_logs]
