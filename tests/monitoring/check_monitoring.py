"""Whether alerts and dashboard ask for what the daemon tells, and whether promtool agrees with the alerts.

check_monitoring.py SOURCE_DIR [PROMTOOL]; exit status 77: no promtool, so only the names were compared.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77


def names_in(text):
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in re.findall(r"\bcuzk_[a-z_]+", text)}


def kinds_in(text):
    return set(re.findall(r'proof_kind="([a-z_0-9-]+)"', text))


def expressions(dashboard):
    return " ".join(target["expr"] for panel in dashboard["panels"] for target in panel["targets"])


def check_names(source, asked):
    told = set(re.findall(r'"(cuzk_[a-z_]+)"', (source / "src/server/metrics.cpp").read_text()))
    returned = re.findall(r'return "([a-z0-9-]+)"', (source / "src/engine/request.cpp").read_text())
    kinds = {kind.replace("-", "_") for kind in returned}
    assert told and kinds, "the daemon's names were not found in its sources"
    assert names_in(asked) <= told, f"not told by the daemon: {sorted(names_in(asked) - told)}"
    assert kinds_in(asked) <= kinds, f"no kinds of proofs: {sorted(kinds_in(asked) - kinds)}"


def run_promtool(promtool, rules, tests):
    with tempfile.TemporaryDirectory() as folder:
        for file in (rules, tests):
            shutil.copy(file, folder)
        subprocess.run([promtool, "check", "rules", rules.name], cwd=folder, check=True)
        subprocess.run([promtool, "test", "rules", tests.name], cwd=folder, check=True)


def main():
    source = pathlib.Path(sys.argv[1])
    rules = source / "packaging/prometheus/cuzk.rules.yml"
    dashboard = json.loads((source / "packaging/grafana/cuzk.json").read_text())
    check_names(source, rules.read_text())
    check_names(source, expressions(dashboard))
    if len(sys.argv) < 3:
        print("skipped: no promtool on this machine (Debian's package prometheus); the names were compared")
        return SKIPPED
    run_promtool(sys.argv[2], rules, source / "tests/monitoring/cuzk.rules_test.yml")
    return 0


if __name__ == "__main__":
    sys.exit(main())
