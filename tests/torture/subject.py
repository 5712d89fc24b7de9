"""The daemon under torture: the real program, started and ended as often as a scenario likes, and what must hold of it
afterwards."""
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path

import grpc

VECTORS = Path(__file__).resolve().parent.parent / "vectors"
WINDOW = "wpost-2k"
START_S = 60
MAX_MESSAGE = 256 << 20


class Tools:
    """What a scenario needs of the build: programs, keys that are made already, the generated client."""

    def __init__(self, build, keys, messages, stubs):
        self.build, self.keys, self.messages, self.stubs = Path(build), Path(keys), messages, stubs
        self.program = self.build / "bin/cuzk"

    def has_failpoints(self):
        """A build with failpoints counts the passes of its places."""
        with tempfile.TemporaryDirectory() as folder:
            counts = Path(folder) / "counts"
            config = Path(folder) / "cuzk.toml"
            config.write_text("")
            subprocess.run([self.program, "serve", "-c", config, "--check"], capture_output=True, check=False,
                           env=os.environ | {"CUZK_FAILPOINT_COUNTS": str(counts)})
            return counts.exists()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(condition, patience_s, what):
    """Waits for it; a scenario fails with `what` otherwise."""
    end = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < end, f"after {patience_s} s: {what}"
        time.sleep(0.02)


class Subject:
    """One daemon in a folder of its own. `disk`: the directory of the journal; `environment`, `before`: of the process;
    `listen`: further addresses, with a comma before each."""

    def __init__(self, tools, folder, config="", disk=None, environment=None, before=None, listen=""):
        self.tools, self.folder = tools, Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.keys, self.socket = self.folder / "keys", self.folder / "s"
        self.journal = (disk or self.folder) / "journal"
        self.circuits = self.folder / "circuits"
        self.http = f"127.0.0.1:{free_port()}"
        self.config, self.environment, self.before, self.listen = config, environment or {}, before, listen
        self.process, self.channel = None, None
        self.starts = 0
        self.take_keys()

    def take_keys(self):
        """Copies: scenarios damage them."""
        self.keys.mkdir(exist_ok=True)
        toy = json.loads((VECTORS / "setup/toy.json").read_text())["params"]["bytes"]
        (self.keys / "toy.params").write_bytes(bytes.fromhex(toy))
        listed = subprocess.run([self.tools.program, "keys", "list", "--json", "--keys", self.tools.keys], check=True,
                                capture_output=True).stdout
        for key in json.loads(listed)["keys"]:
            if key["circuit"] == WINDOW:
                shutil.copy(self.tools.keys / key["params"], self.keys)

    def key_file(self):
        return next(file for file in self.keys.iterdir() if file.name != "toy.params" and file.suffix == ".params")

    def launch(self, *options):
        """Starts it without waiting."""
        self.starts += 1
        (self.folder / "cuzk.toml").write_text(f"""
[daemon]
listen = "unix://{self.socket}{self.listen}"
status_listen = "{self.http}"
[srs]
param_cache = "{self.keys}"
digests = "off"
[circuits]
cache = "{self.circuits}"
[jobs]
journal = "{self.journal}"
{self.config}
""")
        self.socket.unlink(missing_ok=True)
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self.tools.program, "serve", "-c", self.folder / "cuzk.toml", "--insecure-toys",
                 "--ready-fd", "1", *options],
                stdout=subprocess.PIPE, stderr=log, env=os.environ | self.environment, preexec_fn=self.before)

    def start(self, *options):
        """Returns when it takes requests."""
        self.launch(*options)
        line = self.process.stdout.readline()
        assert line.startswith(b"ready "), f"not ready: {self.process.wait()}\n{self.log()[-2000:]}"
        self.connect()
        return self

    def connect(self):
        options = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1),
                   ("grpc.initial_reconnect_backoff_ms", 50), ("grpc.max_reconnect_backoff_ms", 200),
                   ("grpc.use_local_subchannel_pool", 1)]
        if self.channel is not None:
            self.channel.close()
        self.channel = grpc.insecure_channel(f"unix://{self.socket}", options=options)
        self.calls = self.tools.stubs.ProvingEngineStub(self.channel)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stop(self, patience_s=60):
        """As systemd does: it must end cleanly."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(patience_s)
        self.process.stdout.close()
        assert status == 0, f"it ended with {status} when it was told to stop:\n{self.log()[-2000:]}"

    def end(self):
        if self.process is not None and self.process.poll() is None:
            self.kill()
        if self.channel is not None:
            self.channel.close()

    def log(self):
        return (self.folder / "log").read_text(errors="replace")

    def page(self):
        with urllib.request.urlopen(f"http://{self.http}/page.json", timeout=30) as answer:
            return json.load(answer)

    # What the kernel says of it.

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def threads(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def resident(self):
        """Bytes."""
        fields = Path(f"/proc/{self.process.pid}/statm").read_text().split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")

    def cpu_s(self):
        """Seconds of a processor that it has taken."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    # What must hold.

    def check_alive(self):
        assert self.process.poll() is None, f"the daemon ended with {self.process.returncode}:\n{self.log()[-3000:]}"

    def is_idle(self):
        try:
            status = self.calls.GetStatus(self.tools.messages.GetStatusRequest(), timeout=30)
        except grpc.RpcError as error:  # the answer that was made to fail may be this one
            if "failpoint" not in (error.details() or ""):
                raise
            return False
        return all(queue.pending == 0 and queue.in_progress == 0 for queue in status.queues)

    def set_aside(self):
        """Bytes that are set aside for jobs and keys, by account; what is only kept or read ahead is left out."""
        try:
            accounts = self.page()["sections"]["host"]["accounts"]
        except urllib.error.HTTPError as error:  # the answer that was made to fail may be this one
            return {f"not told: {error}": 1}
        return {account["name"]: account["used"] for account in accounts
                if account["name"].startswith(("keys and proofs", "witnesses", "the same", "inputs that wait"))}

    def check_ledger(self):
        """With nothing to do and no key, nothing is set aside."""
        until(self.is_idle, 60, "jobs that wait or run")
        messages = self.tools.messages
        for circuit in ("toy", WINDOW):
            until(lambda name=circuit: self.evicts(messages, name), 20, f"the key of {circuit} is held")
        until(lambda: not any(self.set_aside().values()), 20, f"memory is set aside: {self.set_aside()}")

    def evicts(self, messages, circuit):
        try:
            self.calls.EvictSRS(messages.EvictSrsRequest(circuit_id=circuit), timeout=30)
            return True
        except grpc.RpcError as error:
            if error.code() == grpc.StatusCode.UNAVAILABLE:
                return False
            raise

    def check_journal(self):
        """Of the journal of a daemon that has ended: every job that ended has its result, every other one its input."""
        with closing(sqlite3.connect(f"file:{self.journal / 'journal.db'}?mode=ro", uri=True)) as database:
            def number(sql):
                return database.execute(sql).fetchone()[0]
            assert number("PRAGMA integrity_check") == "ok"
            assert number("SELECT count(*) FROM jobs WHERE ended IS NOT NULL AND number NOT IN (SELECT number FROM results)") == 0
            assert number("SELECT count(*) FROM results WHERE number NOT IN (SELECT number FROM jobs)") == 0
            assert number("SELECT count(*) FROM inputs WHERE number NOT IN (SELECT number FROM jobs WHERE ended IS NULL)") == 0
            files = {file.name for file in (self.journal / "inputs").iterdir()}
            stored = {row[0] for row in database.execute(
                "SELECT id FROM jobs WHERE ended IS NULL AND number NOT IN (SELECT number FROM inputs)")}
            assert stored == files, f"files of inputs: {files ^ stored} have no job, or jobs have none"
        assert not list(self.journal.glob("journal.db.damaged*")), "a database was set aside"

    def check_all(self):
        """The invariant, at the end of a scenario: it lives, owes nothing, and leaves a consistent journal."""
        self.check_alive()
        self.check_ledger()
        self.stop()
        self.check_journal()
