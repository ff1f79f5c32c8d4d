#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
    compare-other.py DUMP-FACTS FILE...

Compares what the importers read from smartctl's SCSI and NVMe text and from its JSON (printed by
DUMP-FACTS) with what read-smartctl-other.py reads. Every fact that the second reader has must be there
with the same value, and of the quantities that it knows none may be there that it lacks. Prints a line
"# FILE: NAME: ours=... theirs=..." for each difference, and last "N facts".
"""
import importlib.util
import os
import re
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("reader", os.path.join(here, "read-smartctl-other.py"))
reader = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reader)



def known_names(is_json):
    names = [n for n, _, _ in reader.SCSI + reader.NVME + reader.BOTH]
    patterns = [r"scsi_errors\[\d\d\]\.\w+", r"sas_port\[\d+\]\.phy\[\d+\]\."
                r"(invalid_dwords|disparity_errors|losses_of_sync|reset_problems)",
                r"nvme_sensor\[\d\]\.celsius", r"nvme_power_state\[\d+\]\.(max|idle|active)_microwatts",
                r"selftest\[\d+\]\.(type|result|hours|lba)"]
    if is_json:
        names = list(reader.HEALTH.values()) + [n for _, n in reader.PATHS]
        patterns = [r"scsi_errors\[\d\d\]\.\w+", r"attr\[\d+\]\.(value|worst|threshold|raw)",
                    r"phy\[\w+\]\.(value|size)", r"stat\[[\w/]+\]\.value",
                    r"error\[\d+\]\.(number|hours|error|status)", r"selftest\[\d+\]\.(type|result|hours)"]
    return re.compile("(%s)$" % "|".join([re.escape(n) for n in names] + patterns))


def read_dump(program, path):
    done = subprocess.run([program, path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False)
    subjects = [{}]
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        if line == "--":
            subjects.append({})
            continue
        name, value = line.split("=", 1)
        subjects[-1][name] = value[1:-1] if value.startswith('"') else value
    return [s for s in subjects if s]


def same(name, a, b):
    if isinstance(b, bool):
        b = int(b)
    if str(b) == "" and a is None:
        return True
    return a is not None and re.sub(r"\s+", " ", str(b)).strip() == a


def differences(ours, theirs, known):
    if len(ours) != len(theirs):
        yield "reports: ours=%d theirs=%d" % (len(ours), len(theirs))
    for a, b in zip(ours, theirs):
        for name in sorted(b):
            if not same(name, a.get(name), b[name]):
                yield "%s: ours=%s theirs=%s" % (name, a.get(name), b[name])
        for name in sorted(set(a) - set(b)):
            if known.match(name):
                yield "%s: ours=%s theirs=None" % (name, a[name])


def read_known():
    with open(os.path.join(here, "known-differences.txt"), encoding="utf-8") as f:
        return [line.split(None, 2)[:2] for line in f if line.strip() and not line.startswith("#")]


def main():
    program, bad, facts = sys.argv[1], 0, 0
    allowed = read_known()
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8", errors="replace") as f:
            text = f.read()
        is_json = path.endswith(".json")
        theirs = reader.read_json(text) if is_json else reader.read_text(text)
        if not theirs:
            continue
        for line in differences(read_dump(program, path), theirs, known_names(is_json)):
            ok = any(file in path and name in line for file, name in allowed)
            print("# %s%s: %s" % ("known: " if ok else "", os.path.basename(path), line))
            bad += not ok
        facts += sum(len(f) for f in theirs)
    print("%d facts" % facts)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
