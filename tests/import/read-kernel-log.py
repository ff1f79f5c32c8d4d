#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A reader of libata messages written apart from the importer: regular expressions over unwrapped
text, counts by port and class. It knows the forms of the published logs, no more."""
import collections
import re

GAP, SPACE = r'[ \n]*', r'[ \n]+'
HEAD = (r'(?:\[' + GAP + r'\d+\.\d{6}\](?:\[' + GAP + r'[TC]?\d+\])?'
        r'|[A-Z][a-z]{2}' + SPACE + r'\d+' + SPACE + r'\d\d:\d\d:\d\d' + SPACE +
        r'(?:\w+' + SPACE + r')?kernel:(?:' + SPACE + r'\[' + GAP + r'\d+\.\d+\])?|(?m:^)l:)')
START = re.compile(r'(?<!\S)(?P<head>' + HEAD + r')' + GAP +
                   r'|(?m:^)[ \t+\-]*(?=(?:ata\d+|sd \d+:|blk_update|I/O error|critical ))')
TASKFILE = re.compile(
    r'[0-9a-f]{2}/(?:[0-9a-f]{2}:){4}[0-9a-f]{2}/(?:[0-9a-f]{2}:){4}[0-9a-f]{2}/[0-9a-f]{2}')
LINES = [
    ('reset-failed', r'(COMRESET failed|softreset failed \(|SRST failed|device not ready)'),
    ('hard-reset', r'hard resetting'),
    ('speed-limited', r'limiting SATA link speed'),
    ('transfer-limited', r'limiting speed to'),
    ('internal-timeout', r'qc timeout'),
    ('identify-failed', r'(failed to (IDENTIFY|set xfermode|read native|clear UNIT|read PMP)'
                        r'|revalidation failed|found unknown device|PMP revalidation)'),
    ('ncq-disabled', r'NCQ disabled'),
    ('link-slow', r'link is slow'),
]
BITS = {'RecovData': 0, 'UnrecovData': 8, 'PHYRdyChg': 16, 'CommWake': 18, '10B8B': 19,
        'Dispar': 20, 'BadCRC': 21, 'Handshk': 22, 'DevExch': 26}
ERRORS = {'ICRC': 0x80, 'UNC': 0x40, 'IDNF': 0x10, 'ABRT': 0x04}


def records(text):
    text = text.replace('\xa0', ' ').replace('#012', ' ')
    text = '\n'.join(re.sub(r'^(?:\s*>)+ ?', '', line).rstrip() for line in text.splitlines())
    found = [[m.end(), m.start(), m.group('head')] for m in START.finditer(text)]
    for i, (begin, _, head) in enumerate(found):
        end = found[i + 1][1] if i + 1 < len(found) else len(text)
        body = re.sub(r'\s+', ' ', text[begin:end].split('\n\n')[0]).strip()
        if body:
            yield head and re.sub(r'\s+', ' ', head), body
        elif i + 1 < len(found) and found[i + 1][2] is None:
            found[i + 1][2] = head


def cause(text):
    emask = error = serr = 0
    for m in re.finditer(r'Emask (0x[0-9a-f]+)', text):
        emask |= int(m.group(1), 16)
    m = re.search(r'SErr (0x[0-9a-f]+)', text)
    if m:
        serr = int(m.group(1), 16)
    else:
        m = re.search(r'SError: \{([^}]*)\}', text)
        serr = sum(1 << BITS[n] for n in (m.group(1).split() if m else []) if n in BITS)
    for m in re.finditer(r'res ?([0-9a-f]{2})/([0-9a-f]{2}):', text):
        if int(m.group(1), 16) & 0x81 == 1:
            error |= int(m.group(2), 16)
    m = re.search(r'error: \{([^}]*)\}', text)
    for name, bit in ERRORS.items():
        if m and name in m.group(1):
            error |= bit

    def has(*names):
        return any(serr >> BITS[n] & 1 for n in names)

    if re.search(r'(irq_stat|SErr) 0xffffffff', text):
        return 'controller-gone'
    if emask & 0x20:
        return 'host-bus-error'
    if emask & 0x10 or error & 0x80 or (not emask and not error and has('BadCRC', 'Handshk')):
        if error & 0x80 or has('BadCRC', 'Handshk', 'Dispar', 'UnrecovData') or \
                (has('10B8B') and not has('DevExch')):
            return 'interface-error'
        if has('PHYRdyChg') and has('DevExch'):
            return 'link-changed'
        if has('CommWake'):
            return 'link-wake'
        return 'link-changed' if has('PHYRdyChg', 'DevExch') else 'interface-error'
    for mask, name in ((4, 'timeout'), (2, 'protocol-error'), (0x40, 'internal-error')):
        if emask & mask:
            return name
    for mask, name in ((0x40, 'media-error'), (0x10, 'id-not-found'), (4, 'aborted')):
        if error & mask or (mask == 0x40 and emask & 8):
            return name
    return 'device-error' if emask else 'exception'


class Log:
    def __init__(self):
        self.open, self.blocks, self.last = {}, [], None
        self.counts = collections.Counter()

    def end(self, key):
        if key in self.open:
            self.blocks.append(self.open.pop(key))

    def begin(self, key, head, told):
        self.end(key)
        self.open[key] = {'port': key[0], 'head': head, 'text': [], 'over': False, 'told': told}

    def part(self, key, head, body):
        if key not in self.open:
            same = [k for k in self.open if k[0] == key[0]]
            whole = (key[0], None)
            if key[1] is None and same:
                key = same[-1]
            elif whole in self.open and not self.open[whole]['told']:
                self.open[key] = self.open.pop(whole)
        if key not in self.open or self.open[key]['over']:
            self.begin(key, head, False)
        self.open[key]['text'].append(body)
        self.last = key

    def take(self, head, text):
        m = re.match(r'ata(\d+)(?:\.(\d\d))?: ?(.*)', text)
        if not m:
            if text.startswith('res ') and self.last in self.open:
                self.open[self.last]['text'].append(text)
            return
        port, body = int(m.group(1)), m.group(3)
        key = (port, m.group(2))
        if body.startswith('exception'):
            self.begin(key, head, True)
            self.open[key]['text'].append(body)
            self.last = key
        elif re.match(r'(failed command|cmd |status: \{|error: \{|irq_stat|SError: )', body):
            self.part(key, head, body)
        elif body.startswith('EH complete'):
            for k in [k for k in self.open if k[0] == port]:
                self.end(k)
        else:
            if re.match(r'(hard|soft) resetting', body):
                for k in self.open:
                    self.open[k]['over'] |= k[0] == port
            for name, pattern in LINES:
                if re.match(pattern, body):
                    self.counts[port, name] += 1
                    break

    def finish(self):
        seen = {}
        for key in list(self.open):
            self.end(key)
        for b in self.blocks:
            text = ' '.join(b['text'])
            registers, timed = tuple(TASKFILE.findall(text)), bool(b['head'])
            known = seen.setdefault(b['port'], [])
            if registers and (registers, not timed) in known:
                continue  # quoted again in another dress
            known.append((registers, timed))
            self.counts[b['port'], cause(text)] += 1
        return self.counts


def read(data):
    log, seen = Log(), set()
    try:
        text = data.decode('utf-8')
    except UnicodeDecodeError:
        text = data.decode('latin-1')
    for head, body in records(text):
        if head and head.startswith('['):
            if (head, body) in seen:
                continue
            seen.add((head, body))
        log.take(head, body)
    return log.finish()
