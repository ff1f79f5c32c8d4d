# SPDX-License-Identifier: GPL-2.0-or-later
"""Two documents in smartctl's form: same-json.py DIFFERENCES OURS THEIRS [NAME].

Each field that both have must be the same, and ours must have what theirs has. DIFFERENCES names,
a line each, regular expressions of the drives and paths that may differ, when, and why; NAME is
the drive. Prints
what differs, one line each; the first line counts the fields that are the same.
"""
import json
import re
import sys


WHEN = {
    "any": lambda what, theirs: True,
    "ours": lambda what, theirs: what == "only ours",
    "theirs": lambda what, theirs: what == "only theirs",
    "differs": lambda what, theirs: what in ("differs", "length"),
    "no-celsius": lambda what, theirs: isinstance(theirs, int)
    and (theirs <= -60 or theirs == 0 or theirs > 120),
    "no-hours": lambda what, theirs: (theirs["hours"] if isinstance(theirs, dict) else theirs)
    > 200000,
    "no-count": lambda what, theirs: theirs > 1000000,
}


def known(difference, rules, name):
    path, what, _, theirs = difference
    path = re.sub(r"\[\d+\]", "[]", path)
    return any(
        re.fullmatch(where, name) and re.fullmatch(pattern, path) and WHEN[when](what, theirs)
        for where, pattern, when in rules
    )


def leaves(value):
    if isinstance(value, dict):
        return sum(leaves(v) for v in value.values())
    if isinstance(value, list):
        return sum(leaves(v) for v in value)
    return 1


def compare(path, ours, theirs, out):
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted(set(ours) | set(theirs)):
            below = f"{path}.{key}" if path else key
            if key not in theirs:
                out.append((below, "only ours", ours[key], None))
            elif key not in ours:
                out.append((below, "only theirs", None, theirs[key]))
            else:
                compare(below, ours[key], theirs[key], out)
    elif isinstance(ours, list) and isinstance(theirs, list):
        if len(ours) != len(theirs):
            out.append((path + "[]", "length", len(ours), len(theirs)))
        for i, (a, b) in enumerate(zip(ours, theirs)):
            compare(f"{path}[{i}]", a, b, out)
    elif type(ours) is not type(theirs) or ours != theirs:
        out.append((path, "differs", ours, theirs))


def main():
    rules = []
    with open(sys.argv[1], encoding="utf-8") as f:
        for line in f:
            line = line.strip()
            if line and not line.startswith("#"):
                where, pattern, when, _ = line.split(None, 3)
                rules.append((where, pattern, when))
    with open(sys.argv[2], encoding="utf-8") as f:
        ours = json.load(f)
    with open(sys.argv[3], encoding="utf-8") as f:
        theirs = json.load(f)
    name = sys.argv[4] if len(sys.argv) > 4 else "any"
    out = []
    compare("", ours, theirs, out)
    new = [o for o in out if not known(o, rules, name)]
    print(f"{leaves(theirs) - len(out)} same, {len(out) - len(new)} known differences")
    for path, what, a, b in new:
        print(f"{name} {path}: {what}: {json.dumps(a)[:100]} {json.dumps(b)[:100]}")
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
