"""Clients that are slow, half there, too many or too large."""
import random
import socket
import threading
import time

import grpc

from crashes import KEEP_ALL
from load import COMPLETED, Load, large, toy, window
from subject import Subject, until

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS = bytes.fromhex("000000040000000000")
PATIENCE_S = 10  # for an honest client beside them


def frame(kind, flags, stream, payload):
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def literal(name, value):
    """A header without compression."""
    return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value


def open_call(method=b"SubmitProof"):
    """The headers of a call whose message is still to come."""
    fields = [(b":method", b"POST"), (b":scheme", b"http"), (b":path", b"/cuzk.v1.ProvingEngine/" + method),
              (b":authority", b"localhost"), (b"te", b"trailers"), (b"content-type", b"application/grpc")]
    return frame(1, 4, 1, b"".join(literal(*field) for field in fields))


def beginning_of_message(announced, sent):
    """The head of a message that says it has more bytes than come."""
    return frame(0, 0, 1, b"\x00" + announced.to_bytes(4, "big") + b"\x0a" * sent)


# How a client behaves: what it sends, in the pieces in which it comes.
MANNERS = {
    "says nothing": [],
    "half a preface": [PREFACE[:10]],
    "byte by byte": [bytes([byte]) for byte in PREFACE + SETTINGS],
    "settings and silence": [PREFACE + SETTINGS],
    "a call without a message": [PREFACE + SETTINGS, open_call()],
    "half a message": [PREFACE + SETTINGS, open_call(), beginning_of_message(100_000_000, 1000)],
    "a message that never ends": [PREFACE + SETTINGS, open_call()] + [frame(0, 0, 1, b"\x00" * 10)] * 50,
    "no HTTP": [b"GET / HTTP/1.0\r\n\r\n"],
    "garbage": [bytes(range(256)) * 20],
    "half a frame": [PREFACE + SETTINGS, b"\x00\x40\x00\x00"],
    "a flood of pings": [PREFACE + SETTINGS, frame(6, 0, 0, b"12345678") * 500],
    "a flood of settings": [PREFACE + SETTINGS * 300],
    "a window of zero": [PREFACE + frame(4, 0, 0, bytes.fromhex("000400000000")), open_call(b"GetStatus"),
                         frame(0, 1, 1, b"\x00" * 5)],
}


def connect(path):
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(10)
    connection.connect(str(path))
    return connection


def send_pieces(path, pieces, chance, kept):
    """In order, with pauses; then it is kept open, closed for writing or simply gone."""
    try:
        connection = connect(path)
        for piece in pieces:
            connection.sendall(piece)
            time.sleep(chance.random() * 0.01)
        end = chance.randrange(3)
        if end == 0:
            connection.shutdown(socket.SHUT_WR)
        if end != 2:
            kept.append(connection)
        else:
            connection.close()
    except OSError:  # the daemon has had enough of it
        pass


def slow_and_half_open_clients(bench):
    """Hundreds of clients that send nothing, half of something, or nonsense, on gRPC's socket and on HTTP's: honest ones go
    on beside them, and what they took is given back."""
    chance = random.Random(5)
    subject = Subject(bench.tools, bench.folder / "d")
    load = Load(subject)
    try:
        subject.start()
        assert load.look(load.submit(window(1)), 60000) == COMPLETED
        before, kept, worst = subject.descriptors(), [], 0.0
        for _ in bench.rounds(bench.counts["ROUNDS"]):
            for pieces in MANNERS.values():
                threads = [threading.Thread(target=send_pieces, args=(subject.socket, pieces, chance, kept)) for _ in range(5)]
                for thread in threads:
                    thread.start()
                begin = time.monotonic()
                assert load.look(load.submit(toy(1)), 1000 * PATIENCE_S) == COMPLETED, "an honest client had to wait"
                worst = max(worst, time.monotonic() - begin)
                for thread in threads:
                    thread.join(60)
            host, port = subject.http.split(":")
            for _ in range(4):  # those of HTTP are turned out after seconds of silence
                connection = socket.create_connection((host, int(port)))
                connection.sendall(b"GET /sta")
                kept.append(connection)
            subject.check_alive()
        held = subject.descriptors()
        for connection in kept:
            connection.close()
        until(lambda: subject.descriptors() <= before + 8, 60, "connections that have gone are still open")
        assert subject.page()
        subject.check_all()
        return {"clients": 5 * len(MANNERS) * bench.done, "descriptors": [before, held],
                "an honest client waited s": round(worst, 2)}
    finally:
        subject.end()


def many_connections_in_turn(bench):
    """One after another they come, say little, and go: descriptors, threads and memory stay as they were."""
    subject = Subject(bench.tools, bench.folder / "d", KEEP_ALL)
    load = Load(subject)
    count = bench.counts["CONNECTIONS"]
    try:
        subject.start()
        assert load.look(load.submit(window(1)), 60000) == COMPLETED
        for _ in range(200):  # until everything is there that a connection needs
            connect_and_go(subject.socket, True)
        before = subject.descriptors(), subject.threads(), subject.resident()
        begin = time.monotonic()
        for number in range(count):
            connect_and_go(subject.socket, number % 2 == 0)
            if number % 1000 == 999:
                subject.check_alive()
                assert load.look(load.submit(toy(number)), 1000 * PATIENCE_S) == COMPLETED
        seconds = time.monotonic() - begin
        until(lambda: subject.descriptors() <= before[0] + 8, 60, "connections that have gone are still open")
        after = subject.descriptors(), subject.threads(), subject.resident()
        assert after[1] <= before[1] + 8, f"threads: {before[1]} -> {after[1]}"
        assert after[2] <= before[2] + (64 << 20), f"memory: {before[2]} -> {after[2]}"
        subject.check_all()
        return {"connections": count, "per_s": round(count / seconds), "descriptors": [before[0], after[0]],
                "threads": [before[1], after[1]], "MiB": [before[2] >> 20, after[2] >> 20]}
    finally:
        subject.end()


def connect_and_go(path, says_something):
    connection = connect(path)
    if says_something:
        connection.sendall(PREFACE + SETTINGS)
        connection.recv(64)
    connection.close()


def flood_of_large_messages(bench):
    """Messages of up to 256 MiB, from several clients at once: refused, or failed with a reason; what they took is given
    back, and nobody else is kept out."""
    subject = Subject(bench.tools, bench.folder / "d", "max_queued_size = \"600MiB\"\n[memory]\nkeep_pages = \"64MiB\"\nkeep_pages_idle = \"2s\"\n")
    load = Load(subject)
    sizes = [(256 << 20) - 4096, 200 << 20, (256 << 20) + 4096, 100 << 20]
    answers, lock = {}, threading.Lock()

    def send(size):
        message = subject.tools.messages.SubmitProofRequest(request_id=f"flood {load.number()}", **large(size))
        try:
            job = subject.calls.SubmitProof(message, timeout=120).job_id
            with lock:
                load.accepted[job] = None
            answer = "accepted"
        except grpc.RpcError as error:
            answer = error.code().name
        with lock:
            answers[answer] = answers.get(answer, 0) + 1

    try:
        subject.start()
        assert load.look(load.submit(window(1)), 60000) == COMPLETED
        before, most = subject.resident(), 0
        for turn in bench.rounds(bench.counts["FLOOD"]):
            threads = [threading.Thread(target=send, args=(sizes[(turn + i) % 4],)) for i in range(3)]
            for thread in threads:
                thread.start()
            while any(thread.is_alive() for thread in threads):
                most = max(most, subject.resident())
                time.sleep(0.05)
            assert load.look(load.submit(window(turn)), 60000) == COMPLETED, "an honest client is kept out"
        load.check_all_ended()
        until(subject.is_idle, 60, "jobs that wait")
        until(lambda: subject.resident() < before + (128 << 20), 60, f"memory: {before} -> {subject.resident()}")
        after = subject.resident()
        subject.check_all()
        return {"messages": 3 * bench.done, "answers": answers, "MiB before, most, after":
                [before >> 20, most >> 20, after >> 20]}
    finally:
        subject.end()


SCENARIOS = [slow_and_half_open_clients, many_connections_in_turn, flood_of_large_messages]
