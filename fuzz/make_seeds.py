#!/usr/bin/env python3
"""Writes what each fuzzing target begins with, made from the test vectors.

Usage: fuzz/make_seeds.py FOLDER      from the top folder; the seeds of target_fuzz.cpp go to FOLDER/target
"""
import base64
import json
import lzma
import struct
import sys
from pathlib import Path

SEEDS, VECTORS = Path(sys.argv[1]), Path("tests/vectors")
LARGEST = 200_000  # as in tools/fuzz
SIZES = ("2KiB", "16KiB", "32KiB")  # the targets' first byte chooses among them
POREP, SNAP, WINDOW, WINNING = 1, 2, 3, 4  # as on the wire
COMMITMENTS = ("comm_r_old", "comm_d_new", "comm_r_new")


def read(path):
    """A vector's bytes, unpacked."""
    path = VECTORS / path
    return lzma.open(path).read() if path.suffix == ".xz" else path.read_bytes()


def read_json(path):
    return json.loads(read(path))


def seed(target, name, data):
    folder = SEEDS / target
    folder.mkdir(parents=True, exist_ok=True)
    if len(data) <= LARGEST:
        (folder / name).write_bytes(data)


def varint(value):
    text = bytearray()
    while value >= 128:
        text.append(value & 127 | 128)
        value >>= 7
    return bytes(text) + bytes([value])


def message(fields):
    """A message of the wire: bytes and numbers by their field's number."""
    text = b""
    for number, value in fields:
        if isinstance(value, int):
            text += varint(number << 3) + varint(value)
        else:
            text += varint(number << 3 | 2) + varint(len(value)) + value
    return text


def porep_seeds():
    for path in sorted(VECTORS.glob("sectors/2KiB/*/c1*.json.xz")):
        name, body = f"{path.parent.name}-{path.name.split('.')[0]}", read(path.relative_to(VECTORS))
        sector = read_json(path.parent.relative_to(VECTORS) / "sector.json")
        seed("c1_body", name, body)
        seed("c1_phase1", name, base64.b64decode(json.loads(body)["Phase1Out"]))
        seed("wire_request", name, message([
            (1, b"request"), (2, POREP), (3, sector["sector_size"]), (4, sector["registered_proof_id"]), (10, body),
            (20, sector["sector_number"]), (21, sector["miner_id"])]))
    for path in sorted(VECTORS.glob("malformed/porep-*")):
        body = read(path.relative_to(VECTORS))
        seed("c1_body", path.name, body)
        try:
            seed("c1_phase1", path.name, base64.b64decode(json.loads(body)["Phase1Out"]))
        except (ValueError, KeyError, RecursionError):
            pass  # the body itself is what is wrong


def post_choice(place, case):
    """The first byte of a seed of vanilla_post."""
    kinds = [("window", "1.2.0"), ("winning", "1.0.0"), ("window", "1.0.0")]
    return bytes([3 * place + kinds.index((case["type"], case["api_version"]))])


def post_seed(size, name, place):
    folder = f"post/{size}/{name}"
    case, proof = read_json(f"{folder}/case.json"), read(f"{folder}/vanilla-0.bin")
    randomness, kind = bytes.fromhex(case["randomness"]), WINNING if case["type"] == "winning" else WINDOW
    seed("vanilla_post", f"{size}-{name}", post_choice(place, case) + randomness + proof)
    number = case["registered_proof_id"]
    if number is None:
        return
    seed("wire_request", f"{size}-{name}", message([
        (2, kind), (3, case["sector_size"]), (4, number), (5, 4), (11, proof), (21, case["miner_id"]),
        (22, randomness), (23, 0)]))
    request = {"kind": case["type"], "sector_size": case["sector_size"], "registered_proof": number,
               "vanilla_proofs": [base64.b64encode(proof).decode()], "miner_id": case["miner_id"],
               "randomness": case["randomness"], "partition_index": 0, "prover_id": case["prover_id"]}
    seed("request_file", name, json.dumps(request).encode())


def commitments(case):
    return b"".join(bytes.fromhex(case[name]) for name in COMMITMENTS)


def update_seed(size, place):
    folder = f"update/{size}/from-data"
    case, proof = read_json(f"{folder}/case.json"), read(f"{folder}/partition-0.bin")
    seed("vanilla_update", size, bytes([place]) + commitments(case) + proof)
    old, data, new = (bytes.fromhex(case[name]) for name in COMMITMENTS)
    seed("wire_request", f"{size}-update", message([
        (2, SNAP), (3, case["sector_size"]), (4, case["registered_proof_id"] or 0), (11, proof), (30, old), (31, new),
        (32, data)]))
    request = {"kind": "snap", "registered_proof": 0, "vanilla_proofs": [base64.b64encode(proof).decode()]}
    seed("request_file", f"snap-{size}", json.dumps(request | {name: case[name] for name in COMMITMENTS}).encode())


def malformed_seeds():
    """The broken proofs of PoSt and of updates, with the rest of the request of the good file that each stands for."""
    for item in read_json("malformed/index.json"):
        base, kind = Path(item["base"]), item["kind"]
        if kind == "porep" or base.parts[1] not in SIZES:
            continue
        case, place = read_json(base.parent / "case.json"), SIZES.index(base.parts[1])
        if kind == "snap":
            target, head = "vanilla_update", bytes([place]) + commitments(case)
        else:
            target, head = "vanilla_post", post_choice(place, case) + bytes.fromhex(case["randomness"])
        seed(target, item["file"], head + read("malformed/" + item["file"]))


def encoding_seeds():
    for group, points in read_json("primitives/curves.json").items():
        for place, item in enumerate(points["encodings"]):
            data = bytes.fromhex(item["bytes"])
            is_uncompressed_g1 = len(data) == 96 and not data[0] & 0x80
            seed("point_encoding", f"{group}-{place}", data + bytes(48) * is_uncompressed_g1)  # longer than one of G2


def key_seeds():
    for circuit in ("toy", "winning-2k", "porep-2k"):
        key = read_json(f"setup/{circuit}.json")
        seed("verifying_key", circuit, bytes.fromhex(key["vk"]["bytes"]))
        seed("secret_file", f"toxic-waste-{circuit}", json.dumps(key["toxic_waste"]).encode())
    seed("parameters", "toy", bytes.fromhex(read_json("setup/toy.json")["params"]["bytes"]))
    for name in ("toy", "snap-2k.from-data", "window-2k.window-v1_2-3"):
        proof = read_json(f"proofs/{name}.json")
        seed("verifying_key", f"proof-{name}", bytes.fromhex(proof["proof"]))
        seed("secret_file", f"proofs-{name}", json.dumps(proof).encode())


def short_text_seeds():
    texts = ("Zm9vYg==", "Zm9vYmFy" * 9, "0123456789abcdef" * 4, "porep-32g", "window-2k", "StackedDrg32GiBV1_1",
             "03" + "00" * 31 + "\n" + "05" + "00" * 31, json.dumps(list(range(97, 129)), separators=(",", ":")),
             json.dumps(list(range(32)), separators=(",", ":")), json.dumps([0] * 32), '{"a":[1,-2.5e3,true,null]}',
             '"\\u00e9\\ud83d\\ude00\\n"', '{"a":{"b":[[],{}]},"c":"\u00e9"}')
    for place, text in enumerate(texts):
        seed("short_text", str(place), text.encode())


def checkpoint_seeds():
    """The first rows of a real file."""
    file = read_json("r1cs/checkpoints/winning-2k.json.xz")
    seed("checkpoint_file", "winning-2k", json.dumps(file | {"rows": file["rows"][:3]}).encode())


def config_seeds():
    config = """[daemon]
listen = "unix:///run/curio/cuzk.sock, 127.0.0.1:9820"
[srs]
param_cache = "/data/zk/params"
preload = ["porep-32g", "winning-32g"]
[circuits]
cache = "off"
[memory]
total_budget = "auto"
safety_margin = "5GiB"
[gpus]
devices = [0, 1]
[synthesis]
threads = 8
[scheduler]
sort_by_type = true
[logging]
level = "debug"
format = "json"
[jobs]
max_queued_size = "2GiB"
keep_size = 4096
keep_time = "2h"
"""
    seed("config", "all", config.encode())
    for place, text in enumerate(("12 GiB", "5m", "90d", "18446744073709551615", "unix:///a.sock,[::1]:80", "a:65536",
                                  "jobs.keep_count = 0x10", "[jobs]\nkeep_time = 07:32:00", "a = {b = [{c = 1}]}")):
        seed("config", str(place), text.encode())


def numbers(*values):
    return b"".join(value.to_bytes(8, "little") for value in values)


def call(number, fields):
    """A call as service_fuzz.cpp reads it."""
    body = message(fields)
    return bytes([number]) + struct.pack("<H", len(body)) + body


def service_seeds():
    submit, await_proof, prove, cancel, status, metrics, preload, evict, jobs, drain, trace = range(11)
    x = ("05" + "00" * 31).encode()
    toy = [(1, b"request"), (2, POREP), (5, 3), (10, x + b"\n" + x), (20, 7), (21, 1000)]
    first = [(1, b"0")]  # the first job of the calls
    seed("service", "submit", call(submit, toy) + call(await_proof, first) + call(trace, first))
    seed("service", "prove", call(prove, [(1, message(toy))]) + call(jobs, [(1, 1), (2, 5)]) + call(status, []))
    seed("service", "cancel", call(submit, toy) + call(cancel, first) + call(await_proof, first + [(2, 100)]))
    seed("service", "keys", call(preload, [(1, b"toy")]) + call(evict, [(1, b"toy")]) + call(evict, [(1, b"porep-2k")]))
    seed("service", "drain", call(drain, []) + call(submit, toy) + call(drain, [(1, 1)]) + call(metrics, []))


def c_request_seeds():
    """A cuzk_request (include/cuzk.h) and its bytes; what is not NULL is 1."""
    def given(size):
        return struct.pack("<QQ", 1, size)

    none = given(0)
    numbers_of = struct.pack("<QQii", 168, 1, 1, 0) + struct.pack("<QQ", 2048, 5)
    for name, proof, proofs, rest in (("porep", given(40), (0, 0), none), ("windows", given(16), (1, 3), given(32))):
        struct_bytes = numbers_of + proof + struct.pack("<QQ", *proofs) + struct.pack("<QQ", 7, 1000) + rest
        struct_bytes += struct.pack("<II", 0, 0) + rest * 3 + struct.pack("<Q", 60000)
        seed("c_request", name, struct_bytes + bytes(range(256)))


def journal_seeds():
    """As engine/journal/record_codec.h says."""
    strings = [b"", b"first proof", b"second", bytes(32), b"r" * 32, b"n" * 32, b"d" * 32]
    head = numbers(int.from_bytes(b"CUZKIN01", "little"), 2048, 5, 7, 1000, 0, 2)
    seed("journal", "input", head + numbers(*map(len, strings)) + b"".join(strings))
    stages = ((b"synthesis", 12.5), (b"msm_h", 1e3))
    seed("journal", "stages", numbers(len(stages)) + b"".join(
        numbers(len(name)) + name + struct.pack("<d", milliseconds) for name, milliseconds in stages))


def circom_seeds():
    for name in ("product", "chain"):
        for target, ending in (("r1cs_file", "r1cs"), ("wtns_file", "wtns"), ("zkey", "zkey")):
            seed(target, name, read(f"circom/{name}.{ending}"))
        for part in ("proof", "vk", "public"):
            seed("snarkjs_json", f"{name}-{part}", read(f"circom/{name}.{part}.json"))


def main():
    porep_seeds()
    for place, size in enumerate(SIZES):
        for name in ("window-v1_2-1", "window-v1-1", "winning-1"):
            post_seed(size, name, place)
        update_seed(size, place)
    seed("request_file", "array", b'["AAAA"]')
    malformed_seeds()
    encoding_seeds()
    key_seeds()
    short_text_seeds()
    checkpoint_seeds()
    config_seeds()
    service_seeds()
    c_request_seeds()
    journal_seeds()
    circom_seeds()
    seed("key_list", "list", b'{"key.params": {"digest": "6a388072a518cf46ebd661f5cc46900a", "sector_size": 2048}}')
    seed("key_list", "remembered", b"6a388072a518cf46ebd661f5cc46900a 24 1700000000.000000000 1\n")
    seed("token_file", "two", b"# of the miner\n0123456789abcdef\n\n0123456789abcdef-2 \r\n")


main()
