#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Counts by port and class: the program's JSON against a reader written apart.
compare-kernel-log.py PROGRAM FILE..."""
import collections
import importlib
import json
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
reader = importlib.import_module('read-kernel-log')

# The whole error handling of a port is quoted twice in it, once without times: the reader takes only
# the exception for the same.
KNOWN = {('raid-6fa3b1c7-Handshk-errors-behind-hangs.txt', 4, 'hard-reset')}
# What the reader does not look for.
ONLY_OURS = {'link-down', 'device-removed', 'link-up', 'identity', 'quirk', 'boot', 'io-error',
             'disk-started'}


def ours(program, path):
    out = subprocess.run([program, '--json', path], capture_output=True, check=False).stdout
    document = json.loads(out)
    counts = collections.Counter()
    for owner in document['drives'] + [document['host']]:
        for e in owner['kernel_events']:
            m = re.match(r'ata(\d+)', e['port'] or '')
            if m and e['class'] not in ONLY_OURS:
                counts[int(m.group(1)), e['class']] += 1
    return counts


total, number = 0, 0
for path in sys.argv[2:]:
    number += 1
    name = os.path.basename(path)
    with open(path, 'rb') as f:
        theirs = reader.read(f.read())
    mine = ours(sys.argv[1], path)
    differ = sorted((port, c, theirs[port, c], mine[port, c])
                    for port, c in set(theirs) | set(mine)
                    if theirs[port, c] != mine[port, c] and (name, port, c) not in KNOWN
                    and c not in ONLY_OURS)
    total += sum(mine.values())
    for port, c, theirs_n, mine_n in differ:
        print(f'# ata{port} {c}: {mine_n}, the other reader {theirs_n}')
    print(f'{"not " if differ else ""}ok {number} - {name}')
print(f'# {total} events compared')
print(f'1..{number}')
