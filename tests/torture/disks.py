"""A disk that is full, and one that cannot be written any more. A file system in memory that is mounted for the purpose
plays it: that takes root."""
import os
import resource
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import grpc

from load import Load, large, toy, window
from subject import Subject, until

DISK_MB = 64


@contextmanager
def small_disk(bench):
    if os.geteuid() != 0:
        bench.skip("mounting a disk takes root")
    place = bench.folder / "disk"
    place.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "none", place], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        bench.skip(f"no disk can be mounted: {done.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def fill(place):
    """Takes every byte that is left."""
    with (place / "filler").open("wb", buffering=0) as file:
        size = 1 << 20
        while size >= 1:
            try:
                file.write(b"x" * size)
            except OSError:
                size //= 2


def refusal_of(subject, request):
    """The status of a request that must be refused."""
    message = subject.tools.messages.SubmitProofRequest(request_id=f"refused {time.monotonic()}", **request)
    try:
        subject.calls.SubmitProof(message, timeout=30)
    except grpc.RpcError as error:
        return error.code(), error.details()
    return None, "accepted"


def disk_full(bench):
    """The journal's disk fills up: new jobs are refused with the reason, those that were accepted get their results in;
    with room again it goes on by itself."""
    with small_disk(bench) as disk:
        subject = Subject(bench.tools, bench.folder / "d", disk=disk)
        load = Load(subject)
        try:
            subject.start("--insecure-prove-delay", "20")
            jobs = [load.submit(toy(i)) for i in range(40)] + [load.submit(window(1))]
            fill(disk)
            code, reason = None, ""
            for i in range(400):  # what was written in advance may take a few more
                code, reason = refusal_of(subject, toy(i) | {"vanilla_proof": toy(i)["vanilla_proof"]})
                if code is not None:
                    break
            large_code, large_reason = refusal_of(subject, large(8 << 20))
            assert large_code == grpc.StatusCode.RESOURCE_EXHAUSTED, (large_code, large_reason)
            assert code in (None, grpc.StatusCode.RESOURCE_EXHAUSTED), (code, reason)
            load.check_all_ended()
            assert load.counts()["proved"] == len(jobs), load.reasons()
            subject.check_alive()
            (disk / "filler").unlink()
            until(lambda: load.submit(toy(1)) is not None, 30, "no job is accepted although there is room")
            load.check_all_ended()
            subject.check_all()
            return {"proved while full": len(jobs), "refusal": large_reason.rsplit("/", 1)[-1]}
        finally:
            subject.end()


class FailingDisk:
    """A file system in an image, which gives up, as ext4 does when its disk fails: from then on it can only be read."""

    def __init__(self, bench):
        if os.geteuid() != 0:
            bench.skip("mounting a disk takes root")
        self.image, self.place = bench.folder / "image", bench.folder / "disk"
        self.place.mkdir()
        with self.image.open("wb") as file:
            file.truncate(96 << 20)
        self.run(bench, "mkfs.ext4", "-q", "-F", self.image)
        self.mount(bench)

    @staticmethod
    def run(bench, *command):
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError as missing:
            return bench.skip(str(missing))
        if done.returncode != 0:
            bench.skip(f"{command[0]}: {done.stderr.strip()}")
        return done.stdout

    def mount(self, bench):
        self.run(bench, "mount", "-o", "loop,errors=remount-ro", self.image, self.place)
        device = self.run(bench, "findmnt", "-n", "-o", "SOURCE", self.place).strip()
        self.trigger = Path("/sys/fs/ext4") / Path(device).name / "trigger_fs_error"
        if not self.trigger.exists():
            self.unmount()
            bench.skip("this kernel cannot make ext4 fail")

    def give_up(self):
        try:
            self.trigger.write_text("made to fail")
        except OSError:  # of the file that says so
            pass

    def unmount(self):
        subprocess.run(["umount", self.place], check=False, capture_output=True)

    def repair(self, bench):
        self.unmount()
        subprocess.run(["e2fsck", "-fy", self.image], check=False, capture_output=True)
        self.mount(bench)


def read_only_disk(bench):
    """The journal's disk gives up below a daemon: new jobs are refused with the reason, and so is a start. Once it is
    repaired nothing that was accepted is lost."""
    disk = FailingDisk(bench)
    subject = Subject(bench.tools, bench.folder / "d", disk=disk.place)
    load = Load(subject)
    try:
        subject.start("--insecure-prove-delay", "300")
        for i in range(5):
            load.submit(toy(i))
        disk.give_up()
        code, reason = refusal_of(subject, toy(7))
        assert code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED), (code, reason)
        time.sleep(2)  # results cannot be written now
        subject.check_alive()
        subject.kill()
        subject.launch()
        status = subject.process.wait(60)
        subject.process.stdout.close()
        assert status == 1 and "Read-only" in subject.log(), f"{status}: {subject.log()[-500:]}"
        disk.repair(bench)
        subject.start()
        load.check_all_ended()
        assert load.counts()["proved"] == 5, load.reasons()
        subject.check_all()
        return {"refused with": reason[-100:]} | load.counts()
    finally:
        subject.end()
        disk.unmount()


def file_size_limit(bench):
    """The files of the process may grow no more (LimitFSIZE, ulimit -f): as a full disk, and no end by a signal."""
    subject = Subject(bench.tools, bench.folder / "d")
    load = Load(subject)
    try:
        subject.start("--insecure-prove-delay", "20")
        jobs = [load.submit(toy(i)) for i in range(10)]
        resource.prlimit(subject.process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        code, reason = refusal_of(subject, large(8 << 20))
        assert code == grpc.StatusCode.RESOURCE_EXHAUSTED, (code, reason)
        time.sleep(1)  # results cannot be written now
        subject.check_alive()
        resource.prlimit(subject.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        load.check_all_ended()
        assert load.counts()["proved"] == len(jobs), load.reasons()
        until(lambda: load.submit(toy(1)) is not None, 30, "no job is accepted although files may grow again")
        load.check_all_ended()
        subject.check_all()
        return {"refused with": reason[-100:]} | load.counts()
    finally:
        subject.end()


SCENARIOS = [disk_full, read_only_disk, file_size_limit]
