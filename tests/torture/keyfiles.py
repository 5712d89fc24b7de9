"""Key files and compiled circuits that somebody replaces, shortens, overwrites or removes while they are in use."""
import os
import shutil
import time

from load import COMPLETED, FAILED, Load, toy, window
from subject import WINDOW, Subject


def evict(subject):
    """Once nobody holds it."""
    end = time.monotonic() + 30
    while not subject.evicts(subject.tools.messages, WINDOW):
        assert time.monotonic() < end, "the key is held"
        time.sleep(0.02)


def replace(file, original):
    """Another file under the name: half of the key."""
    fresh = file.with_suffix(".new")
    fresh.write_bytes(original.read_bytes()[:original.stat().st_size // 2])
    fresh.rename(file)


def shorten(file, _):
    os.truncate(file, file.stat().st_size // 3)


def empty(file, _):
    os.truncate(file, 0)


def overwrite(file, _):
    """In place, the same size."""
    with file.open("r+b") as open_file:
        open_file.seek(file.stat().st_size // 2)
        open_file.write(os.urandom(1 << 16))


def remove(file, _):
    file.unlink()


DAMAGES = [replace, shorten, empty, overwrite, remove]


def key_damaged_in_use(bench):
    """While proofs run: jobs end with their proof or a reason that names the file; put right, the key works again."""
    subject = Subject(bench.tools, bench.folder / "d")
    original = bench.folder / "original"
    shutil.copy(subject.key_file(), original)
    file = subject.key_file()
    figures = {}
    try:
        subject.start()
        for damage in DAMAGES if bench.counts["ROUNDS"] > 1 else [shorten]:
            for loaded in (True, False):  # before and after it is read
                load = Load(subject, name=f"{damage.__name__} {loaded}")
                if loaded:
                    assert load.look(load.submit(window(1)), 60000) == COMPLETED
                jobs = [load.submit(window(i)) for i in range(2)]
                time.sleep(0.05 if loaded else 0.005)
                damage(file, original)
                load.check_all_ended()
                evict(subject)
                after = load.submit(window(3))
                load.check_all_ended()
                assert load.look(after, 1000) == FAILED, f"proved with a key that is damaged ({damage.__name__})"
                assert all(file.name in reason or "parameters" in reason for reason in load.reasons()), load.reasons()
                shutil.copy(original, file)
                assert load.look(load.submit(window(4)), 60000) == COMPLETED, "not after it was put right"
                assert load.look(load.submit(toy(4)), 60000) == COMPLETED
                proved = sum(load.accepted[job][0] == COMPLETED for job in jobs)
                figures[f"{damage.__name__}, {'loaded' if loaded else 'loading'}"] = f"{proved} of 2 proved"
                evict(subject)
                subject.check_alive()
        subject.check_all()
        return figures
    finally:
        subject.end()


def circuit_damaged_in_use(bench):
    """The file of a compiled circuit is shortened below a daemon that has it from there, and found so by the next one."""
    subject = Subject(bench.tools, bench.folder / "d")
    load = Load(subject)
    try:
        for left in (None, 0, 0.5):  # of the file: the first start makes it, the others read it
            subject.start()
            assert load.look(load.submit(window(1)), 60000) == COMPLETED
            files = [file for file in subject.circuits.rglob("*") if file.is_file()]
            assert files, "no circuit is kept"
            if left is not None:
                shorten_all(files, left)
                assert load.look(load.submit(window(2)), 60000) == COMPLETED, load.reasons()
                subject.check_alive()
                subject.stop()
                subject.start()
                assert load.look(load.submit(window(3)), 60000) == COMPLETED, load.reasons()
            subject.check_all()
        return {"files": len(files)} | load.counts()
    finally:
        subject.end()


def shorten_all(files, left):
    for file in files:
        os.truncate(file, int(file.stat().st_size * left))


SCENARIOS = [key_damaged_in_use, circuit_damaged_in_use]
