# SPDX-License-Identifier: GPL-2.0-or-later
"""show-has.py FACTS SHOW: every value that smartctl -x printed stands in the text of "show".

FACTS are lines of dump-facts, read from smartctl's text. Numbers are looked for as words, texts as
they are; where the two have other forms the fact is left out.
"""
import re
import sys

# who printed it, and names that each program chooses; a capability is told in words
OTHER = re.compile(
    r"posted_|local_time|in_smartctl_database|attr\[\d+\]\.(name|raw)|smart_status_source|"
    r"(read|write)_|security_(enabled|locked|frozen)|smart_(available|enabled|passed)|"
    r"(offline|smart|errorlog)_capability|sct_capability|(offline|selftest)_status|"
    r"phy\[\w+\]\.(name|size|saturated)|attr\[\d+\]\.flags|error\[\d+\]\.(error|status|count|"
    r"device)|stat\[[0-9a-f/]+\]\.size|selftest\[\d+\]\.number|selective_flags|"
    # SCT feature control and what smartctl says when it may not ask: we do not ask
    r"setting\[|erc_text|"
    r"link_.*|sct_history\[|selftest_.*_minutes|bus"
)


def main():
    with open(sys.argv[2], encoding="utf-8") as f:
        text = re.sub(r"(?<=\d),(?=\d)", "", f.read())
    flat = re.sub(r"\s+", " ", text)
    words = set(re.findall(r"-?\d+", flat))
    n = missing = 0
    with open(sys.argv[1], encoding="utf-8") as f:
        for line in f:
            name, _, value = line.rstrip("\n").partition("=")
            if not value or OTHER.match(name):
                continue
            n += 1
            if value.startswith('"'):
                there = re.sub(r"\s+", " ", value[1:-1]) in flat
            else:
                there = value in words
            if not there:
                missing += 1
                print(f"# {name} = {value} is not shown")
    print(f"{n} values, {missing} missing")
    return 1 if missing or n < 300 else 0


if __name__ == "__main__":
    sys.exit(main())
