# SPDX-License-Identifier: GPL-2.0-or-later
"""json-names.py FOLDER THEIRS...: each field of FOLDER/*/ours.json is one of THEIRS, of its type."""
import glob
import json
import os
import sys

TYPES = {bool: "flag", int: "number", float: "number", str: "text", type(None): "null"}


def names(path, value, out):
    if isinstance(value, dict):
        for key, below in value.items():
            names(f"{path}.{key}" if path else key, below, out)
    elif isinstance(value, list):
        for below in value:
            names(path + "[]", below, out)
    else:
        out.setdefault(path, set()).add(TYPES[type(value)])


def read(files):
    out = {}
    for name in files:
        try:
            with open(name, encoding="utf-8") as f:
                names("", json.load(f), out)
        except ValueError:
            pass
    return out


def main():
    ours = read(glob.glob(os.path.join(sys.argv[1], "*", "ours.json")))
    theirs = read(sys.argv[2:])
    wrong = 0
    for path, types in sorted(ours.items()):
        if path.endswith("_s") and path[:-2] in theirs:
            continue
        # the summary log has what the extended one has
        other = path.replace("_log.summary.", "_log.extended.")
        known = theirs.get(path, set()) | theirs.get(other, set())
        if not types <= known | {"null"} or not known:
            print(f"# {path}: {sorted(types)}, not {sorted(known)}")
            wrong += 1
    print(f"# {len(ours)} names of ours, {len(theirs)} of theirs")
    return 1 if wrong or len(ours) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
