"""The requests of the providers' software at 2 KiB, as it sends them: ids, priorities, which fields are there.

Each is a dictionary with the fields of SubmitProofRequest that the caller sets; `kind` and `verify` are ours: what
`cuzk verify` is asked, and the request file it reads.
"""
import base64
import json
import lzma
from pathlib import Path

VECTORS = Path(__file__).resolve().parent.parent / "vectors"
MINER, SECTOR_SIZE = 1000, 2048
POREP, SNAP, WINDOW, WINNING = 1, 2, 3, 4
NORMAL, HIGH, CRITICAL = 2, 3, 4


def case_of(folder):
    return json.loads((VECTORS / folder / "case.json").read_text())


def post_proofs(folder):
    return [(VECTORS / folder / sector["vanilla_proof"]).read_bytes() for sector in case_of(folder)["sectors"]]


def go_list(data):
    """Bytes as Go's %v writes them."""
    return "[" + " ".join(str(byte) for byte in data) + "]"


def porep():
    c1 = lzma.open(VECTORS / "sectors/2KiB/s2-v1_1/c1.json.xz").read()
    sector = json.loads((VECTORS / "sectors/2KiB/s2-v1_1/sector.json").read_text())
    number = sector["sector_number"]
    return {"request_id": f"porep-{MINER}-{number}", "proof_kind": POREP, "sector_size": SECTOR_SIZE,
            "registered_proof": sector["registered_proof_id"], "priority": NORMAL, "vanilla_proof": c1,
            "sector_number": number, "miner_id": MINER}


def market_porep():
    """The same sector by the market's caller, its JSON read and written by Go: the keys are in another order."""
    request = porep()
    request["request_id"] = request["request_id"].replace("porep-", "ps-porep-")
    request["vanilla_proof"] = lzma.open(VECTORS / "sectors/2KiB/s2-v1_1/c1-go-order.json.xz").read()
    return request


def snap():
    case = case_of("update/2KiB/from-data")
    proof = (VECTORS / "update/2KiB/from-data" / case["partition_proofs"][0]["file"]).read_bytes()
    return {"request_id": f"snap-{MINER}-{case['sector_number']}", "proof_kind": SNAP, "sector_size": SECTOR_SIZE,
            "registered_proof": case["registered_proof_id"], "priority": NORMAL, "vanilla_proofs": [proof],
            "sector_number": case["sector_number"], "miner_id": MINER,
            "comm_r_old": bytes.fromhex(case["comm_r_old"]), "comm_r_new": bytes.fromhex(case["comm_r_new"]),
            "comm_d_new": bytes.fromhex(case["comm_d_new"])}


def market_snap():
    """The market's caller leaves the sector's size out."""
    request = snap()
    request["request_id"] = "ps-" + request["request_id"]
    del request["sector_size"]
    return request


def window_partitions():
    """Two partitions of one deadline: the same id, the same number of the partition (0), other proofs."""
    case, proofs = case_of("post/2KiB/window-v1_2-4"), post_proofs("post/2KiB/window-v1_2-4")
    randomness = bytes.fromhex(case["randomness"])
    return [{"request_id": f"wdpost-{MINER}-0-{go_list(randomness)}", "proof_kind": WINDOW, "sector_size": SECTOR_SIZE,
             "registered_proof": case["registered_proof_id"], "priority": HIGH, "vanilla_proofs": proofs[i:i + 2],
             "miner_id": MINER, "randomness": randomness} for i in (0, 2)]


def winning(name="winning-1"):
    case, proofs = case_of(f"post/2KiB/{name}"), post_proofs(f"post/2KiB/{name}")
    randomness = bytes.fromhex(case["randomness"])
    return {"request_id": f"winpost-{MINER}-{randomness[:8].hex()}", "proof_kind": WINNING, "sector_size": SECTOR_SIZE,
            "registered_proof": case["registered_proof_id"], "priority": CRITICAL, "vanilla_proofs": proofs,
            "miner_id": MINER, "randomness": randomness}


POSTS = ("window 0", "window 1", "winning")
# A proof of PoRep takes a core's minute: each form of a request is proved by one of the tests.
BY_CLIENTS, IN_PROCESS = ("porep", "market snap", *POSTS), ("market porep", "snap", *POSTS)


def requests(names):
    """By our own name of each."""
    first, second = window_partitions()
    forms = {"porep": porep(), "market porep": market_porep(), "snap": snap(), "market snap": market_snap(),
             "window 0": first, "window 1": second, "winning": winning()}
    return {name: forms[name] for name in names}


WORDS = {POREP: "porep", SNAP: "snap", WINDOW: "window", WINNING: "winning"}


def write_verify_input(path, requests):
    """What `cuzk verify` reads: the C1 JSON, or a request file of one or several partitions. Returns its KIND."""
    first = requests[0]
    kind = WORDS[first["proof_kind"]]
    if kind == "porep":
        path.write_bytes(first["vanilla_proof"])
        return kind
    fields = {"kind": kind, "sector_size": SECTOR_SIZE, "registered_proof": first["registered_proof"],
              "miner_id": MINER}
    fields |= {name: first[name].hex() for name in ("randomness", "comm_r_old", "comm_r_new", "comm_d_new")
               if name in first}
    fields["vanilla_proofs"] = [base64.b64encode(proof).decode() for each in requests for proof in each["vanilla_proofs"]]
    path.write_text(json.dumps(fields))
    return kind


def write_for_other_languages(path, requests):
    """A list of objects: bytes in base64."""
    def plain(value):
        if isinstance(value, bytes):
            return base64.b64encode(value).decode()
        return [plain(item) for item in value] if isinstance(value, list) else value

    path.write_text(json.dumps([{"name": name} | {field: plain(value) for field, value in request.items()}
                                for name, request in requests.items()]))
