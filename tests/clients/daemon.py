"""The real daemon, under the name that existing installations start."""
import json
import signal
import socket
import subprocess
import urllib.request
from pathlib import Path


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Daemon:
    """Starts and ends as often as asked, in one folder, with one journal."""

    def __init__(self, program, keys, folder):
        self.program, self.folder = program, Path(folder)
        self.socket = self.folder / "cuzk.sock"
        self.address = f"unix://{self.socket}"
        self.http = f"127.0.0.1:{free_port()}"
        (self.folder / "cuzk.toml").write_text(f"""
[daemon]
listen = "{self.address}"
status_listen = "{self.http}"
[srs]
param_cache = "{keys}"
[jobs]
journal = "{self.folder / 'journal'}"
""")
        self.process = None

    def start(self):
        """Returns when it takes requests."""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen([self.program, "-c", self.folder / "cuzk.toml", "--ready-fd", "1"],
                                            stdout=subprocess.PIPE, stderr=log)
        line = self.process.stdout.readline().decode()
        assert line == f"ready {self.address}\n", line

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stop(self):
        """As systemd does: it must end cleanly."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait() == 0, self.process.returncode
        self.process.stdout.close()

    def end(self):
        if self.process is not None and self.process.poll() is None:
            self.kill()

    def get(self, path):
        with urllib.request.urlopen(f"http://{self.http}{path}") as answer:
            return answer.read().decode(), answer.headers

    def status(self):
        text, headers = self.get("/status")
        assert headers["Access-Control-Allow-Origin"] == "*", headers
        return json.loads(text)

    def log(self):
        return (self.folder / "log").read_text()
