#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
    compare.py DUMP-FACTS FILE...

Compares what the importer reads from smartctl's ATA text (printed by DUMP-FACTS) with what the
second reader, read-smartctl.py, reads. Prints "# FILE: NAME: ours=... theirs=..." for each
difference, and last "N facts". Exit status: 0 all the same, 1 differences. Differences that stand in
known-differences.txt (FILE NAME REASON, parts of the names) are printed as known and allowed.
"""
import importlib.util
import os
import re
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("reader", os.path.join(here, "read-smartctl.py"))
reader = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reader)

# What the second reader knows; the importer reads more, and that is left alone.
KNOWN = re.compile(
    r"(attr\[\d+\]\.(name|flags|value|worst|threshold|raw|raw_signed|raw_text|when_failed)"
    r"|phy\[[0-9a-f]+\]\.(name|value|size|saturated)"
    r"|stat\[[0-9a-f/]+\]\.(value|size|flags)"
    r"|log\[[0-9a-f]+\]\.(access|gpl_sectors|smart_sectors)"
    r"|error_count|error\[\d+\]\.(number|hours|error|status)"
    r"|selftest\[\d+\]\.(number|type|result|remaining_percent|hours|lba)"
    r"|model|firmware|capacity_bytes|rotation_rpm|link_current_mbps|link_device_max_mbps"
    r"|smart_passed|erc_read_ds|erc_write_ds|pending_defects|pending_defect\[\d+\]\.(lba|hours)"
    r"|sct_(under|over)_limit_count"
    r"|sct_(temperature|(cycle|lifetime|recommended|limit)_(min|max)|lifetime_average"
    r"|specified_max)_celsius)$")


def unescape(text):
    return re.sub(r"\\(x([0-9a-fA-F]{2})|.)",
                  lambda m: chr(int(m[2], 16)) if m[2] else m[1], text)


def read_dump(program, path):
    """Facts of each subject that has any which the second reader knows."""
    done = subprocess.run([program, path], stdout=subprocess.PIPE, check=False)
    subjects = [{}]
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        if line == "--":
            subjects.append({})
            continue
        name, value = line.split("=", 1)
        if value.startswith('"'):
            value = re.sub(r"\s+", " ", unescape(value[1:-1])).strip()
        if KNOWN.match(name):
            subjects[-1][name] = value
    return [s for s in subjects if s]


def present(facts):
    """An empty text says as much as none, and a flag that is not set as much as 0."""
    return {k: str(v) for k, v in facts.items()
            if str(v) != "" and not (k.endswith(".saturated") and str(v) == "0")}


def differences(ours, theirs):
    if len(ours) != len(theirs):
        yield "reports: ours=%d theirs=%d" % (len(ours), len(theirs))
    for n, (a, b) in enumerate(zip(ours, theirs)):
        a, b = present(a), present(b)
        for name in sorted(set(a) | set(b)):
            if a.get(name) != b.get(name):
                yield "%s%s: ours=%s theirs=%s" % (
                    "report %d: " % (n + 1) if n else "", name, a.get(name), b.get(name))


def read_known():
    with open(os.path.join(here, "known-differences.txt"), encoding="utf-8") as f:
        return [line.split(None, 2)[:2] for line in f if line.strip() and not line.startswith("#")]


def main():
    program, bad, facts = sys.argv[1], 0, 0
    known = read_known()
    for path in sys.argv[2:]:
        theirs = reader.read_file(path)
        if not theirs:
            continue
        for line in differences(read_dump(program, path), theirs):
            allowed = any(file in path and name in line for file, name in known)
            print("# %s%s: %s" % ("known: " if allowed else "", os.path.basename(path), line))
            bad += not allowed
        facts += sum(len(present(f)) for f in theirs)
    print("%d facts" % facts)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
