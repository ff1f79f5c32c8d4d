# SPDX-License-Identifier: GPL-2.0-or-later
# Simulated drives, each read by drivewhy and by its peers, all of them unmodified, through SG_IO: what
# sg_sat_phy_event, hdparm -I and smartctl -x print must be what drivewhy says. Prints TAP.
import json
import os
import re
import subprocess
import sys

top, build, work = sys.argv[1:4]
ALL = (1 << 64) - 1


def read_capture(path):
    """[(id, rest of the item's line, bytes)]"""
    items = []
    for line in open(path):
        word = line.split()
        if line.startswith('item '):
            items.append([word[1], ' '.join(word[2:]), bytearray()])
        elif items and re.match(r'[0-9a-f]{4,}\b', line):
            at = int(word[0], 16)
            data = items[-1][2]
            data.extend(bytes(at - len(data)))  # what "*" stands for
            data.extend(bytes.fromhex(''.join(word[1:])))
    return items


def write_capture(path, items):
    with open(path, 'w') as f:
        f.write('capture 1\nsubject drive 1\nsnapshot 1 role=before taken=1764525060.120\n')
        for name, rest, data in items:
            f.write('item %s %s\n' % (name, rest))
            for at in range(0, len(data), 16):
                f.write('%04x %s\n' % (at, data[at:at + 16].hex(' ')))
        f.write('end\n')


def put(data, at, width, value):
    data[at:at + width] = (value & ((1 << 8 * width) - 1)).to_bytes(width, 'little')


def put_text(data, word, words, text):
    text = text.ljust(2 * words).encode('ascii')
    for i in range(0, len(text), 2):
        data[2 * word + i:2 * word + i + 2] = bytes((text[i + 1], text[i]))


def seal(data):
    data[511] = 0
    data[511] = -sum(data[:511]) & 255


def counters(rows):
    """A page of log 11h: (identifier, bytes, value)."""
    page, at = bytearray(512), 4
    for identifier, width, value in rows:
        put(page, at, 2, identifier | width // 2 << 12)
        put(page, at + 2, width, value)
        at += 2 + width
    seal(page)
    return page


def many(ids, width, values):
    return [(n, width, values[i % len(values)]) for i, n in enumerate(ids)]


# Which counters makers have is from published tables; the values are at the edges of their widths.
SEAGATE = (0x00a, 0x001, 0x003, 0x004, 0x006, 0x007)
WD = tuple(range(0x001, 0x00c)) + (0x00d,)
TOSHIBA = WD + (0x00f, 0x010, 0x012, 0x013)
INTEL = (0x001, 0x002, 0x003, 0x004, 0x005, 0x006, 0x007, 0x00a, 0x00b, 0x00d)
EDGES = (0, 1, 0x7fff, 0x8000, 0xfffe, 0xffff)

# name, model, words of IDENTIFY DEVICE, counters, statistics {(page, offset): 8 bytes}, SCT temperatures
DRIVES = [
    ('Seagate, nothing happened', 'ST1000TEST001-1AA111', {217: 7200}, many(SEAGATE, 2, (0,)), {}, None),
    ('Seagate, 4 bytes, saturated', 'ST4000TEST002-2BB222', {217: 5980, 168: 2},
     many(SEAGATE, 4, (0xffffffff, 0xfffffffe, 0x10000)), {(1, 8): 0xc0000000ffffffff}, (-10, -40, 60, -128, 127)),
    ('WD with its own counter', 'WDC WD10TEST-00A1B2', {217: 5400, 83: 0x7f61 | 8, 86: 0xbc41 | 8, 91: 0x0080},
     many(WD, 2, EDGES) + [(0x8000, 4, 0xdeadbeef)], {(1, 24): 0xc000ffffffffffff}, (25, 20, 30, 5, 55)),
    ('HGST, every width', 'HGST HUS72TEST0', {217: 7200, 106: 0x4000},
     [(0x001, 2, 0xffff), (0x002, 4, 0xffffffff), (0x003, 6, 0xffffffffffff), (0x004, 8, ALL),
      (0x00a, 8, 1 << 63), (0x00b, 6, 1 << 47), (0x8001, 8, ALL - 1), (0x8004, 2, 0x1234)],
     {(1, 16): 0xc000000012345678, (3, 8): 0xc0000000ffffffff}, None),
    ('Samsung SSD', 'Samsung SSD 8TEST 500GB', {217: 1, 168: 3, 69: 0x4020, 169: 1},
     many(TOSHIBA, 2, (0, 0, 65535, 3)), {(7, 8): 0xc0000000000000ff}, (40, 20, 70, 10, 70)),
    ('Toshiba disk', 'TOSHIBA TESTMG04', {217: 7200, 168: 2}, many(TOSHIBA, 4, (7, 65535, 65536, 70000)),
     {(4, 8): 0xc0000000fffffffe}, (-1, -5, 39, -40, 60)),
    ('Toshiba SSD', 'TOSHIBA TESTTHNSN', {217: 1, 76: 0x0f0e}, many(TOSHIBA, 2, (0,)), {}, None),
    ('Intel', 'INTEL SSDTEST080G2', {217: 1, 76: 0x0506}, many(INTEL, 4, EDGES), {(7, 8): 0xc0000000000000ff}, None),
    ('Micron, two counters', 'Micron_TEST_MTFD', {217: 1}, [(0x001, 4, 0), (0x00a, 4, 4095)], {}, (33, 22, 44, 1, 70)),
    ('Crucial BX', 'CT240TESTBX1', {217: 1}, many((0x001, 0x002, 0x005, 0x00a), 2, (8, 0, 0, 99)), {}, None),
    ('Kingston', 'KINGSTON STEST37', {217: 1, 168: 3}, many(INTEL + (0x012, 0x013), 2, (5, 0, 9)), {}, None),
    ('reserved bits everywhere', 'RESERVED TEST', {217: 1, 77: 0xfff0, 70: 0xffff, 168: 0xfff0, 103: 0,
                                                   128: 0xfe00, 222: 0xf080},
     [(0x7fe, 2, 3), (0xffe, 4, 4), (0x8fff, 2, 5), (0x001, 2, 6)], {(1, 8): 0xfc00000000000009}, None),
    ('dirty bytes in statistics', 'DIRTY TEST', {217: 7200}, many(SEAGATE, 2, (1,)),
     {(5, 8): 0xc0aabbccddeeff2a, (5, 16): 0xc0ffffffffffff80, (5, 32): 0xc0123456789abcf6,
      (1, 8): 0xc0ffffff00000007, (6, 8): 0x80ffffffffffffff, (4, 8): 0x40000000000000aa}, None),
    ('a directory larger than the log', 'DIRECTORY TEST', {217: 7200}, many(WD, 2, (2,)), 'directory', None),
    ('security set, odd strings', 'A" <&>\\\'T', {217: 7200, 128: 0x0027, 85: 0x0003, 82: 0x0063, 89: 0xfffe, 90: 2},
     many(SEAGATE, 2, (1,)), {}, None),
    ('more than 48 bits of bytes', 'HUGE TEST', {217: 7200, 106: 0x5000, 117: 2048, 118: 0,
                                                 100: 0xffff, 101: 0xffff, 102: 0x00ff, 103: 0},
     many(SEAGATE, 2, (1,)), {}, None),
]


def make_drive(number, drive):
    name, model, words, phy, statistics, temperatures = drive
    items = read_capture(top + '/tests/captures/testdisk-all-pages.cap')
    pages = {item[0]: item[2] for item in items}
    identify = pages['ata/identify']
    put_text(identify, 10, 10, 'TEST%07d' % number)
    put_text(identify, 27, 20, model)
    for word, value in words.items():
        put(identify, 2 * word, 2, value)
    seal(identify)
    identify[510] = 0xa5
    seal(identify)
    pages['ata/log/11/00'][:] = counters(phy)
    if statistics == 'directory':
        for log in 'ata/log/00/00', 'ata/smart-log/00':
            put(pages[log], 2 * 4, 2, 255)
    else:
        for (page, offset), value in statistics.items():
            log = pages['ata/log/04/00']
            put(log, 512 * page, 8, 1 | page << 16)  # some pages of the sample are not filled
            put(log, 512 * page + offset, 8, value)
            if page not in log[9:9 + log[8]]:
                log[9 + log[8]] = page
                log[8] += 1
    if temperatures:
        status = pages['ata/smart-log/e0']
        for at, value in zip(range(200, 205), temperatures):
            put(status, at, 1, value)
    path = '%s/drive%u.cap' % (work, number)
    write_capture(path, items)
    return path


def run(capture, *command):
    r = subprocess.run(['umockdev-wrapper', build + '/tests/device/umock', 'ata', capture, '--', *command],
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return r.stdout


# --- what each tool says, as {quantity: value} -----------------------------------------------------------

def of_sg(text):
    facts = {}
    for m in re.finditer(r'id=0x([0-9a-f]+), vendor=(\d), data_len=(\d+), val=(\d+)', text):
        n = int(m[1], 16) | int(m[2]) << 15
        facts['counter %04x' % n] = (int(m[3]), int(m[4]))
    return facts


def of_smartctl(j):
    facts = {}
    for row in j.get('sata_phy_event_counters', {}).get('table', []):
        facts['counter %04x' % row['id']] = (row['size'], row['value'])
        facts['overflow %04x' % row['id']] = row['overflow']
    for page in j.get('ata_device_statistics', {}).get('pages', []):
        for row in page.get('table', []):
            if row['flags']['valid']:
                facts['statistic %u/%u' % (page['number'], row['offset'])] = row['value']
    sct = j.get('ata_sct_status', {}).get('temperature', {})
    for theirs, ours in (('current', 'sct_temperature_celsius'), ('power_cycle_min', 'sct_cycle_min_celsius'),
                         ('power_cycle_max', 'sct_cycle_max_celsius'), ('lifetime_min', 'sct_lifetime_min_celsius'),
                         ('lifetime_max', 'sct_lifetime_max_celsius')):
        if theirs in sct:
            facts[ours] = sct[theirs]
    return facts


def of_hdparm(text):
    facts = {'model': '', 'serial': '', 'firmware': ''}
    for key, pattern in (('model', r'Model Number: {7}(.*)'), ('serial', r'Serial Number: {6}(.*)'),
                         ('firmware', r'Firmware Revision:  (.*)'),
                         ('wwn', r'Logical Unit WWN Device Identifier: (\S+)')):
        m = re.search(pattern, text)
        if m:
            facts[key] = m[1].strip()
    logical = re.search(r'Logical(?:/Physical)? +Sector size: +(\d+) bytes', text)
    physical = re.search(r'Physical Sector size: +(\d+) bytes', text)
    sectors = re.search(r'LBA48  user addressable sectors: +(\d+)', text)
    if logical:
        facts['logical_sector_bytes'] = int(logical[1])
        facts['physical_sector_bytes'] = int((physical or logical)[1])
        if sectors:
            facts['capacity_bytes'] = int(sectors[1]) * int(logical[1])
    rate = re.search(r'Nominal Media Rotation Rate: (.*)', text)
    if rate:
        facts['rotation_rpm'] = 0 if 'Solid' in rate[1] else int(rate[1])
    form = re.search(r'Form Factor: ([\d.]+) inch', text)
    if form:
        facts['form_factor'] = form[1]
    speeds = re.findall(r'\* *\tGen\d signaling speed \(([\d.]+)Gb/s\)', text)
    if speeds:
        facts['link_device_max_mbps'] = int(max(map(float, speeds)) * 1000)
    for key, words in (('smart_enabled', 'SMART feature set'), ('write_cache', 'Write cache'),
                       ('read_lookahead', 'Look-ahead')):
        m = re.search(r'^\t +(\*?) *\t%s' % words, text, re.M)
        if m:
            facts[key] = m[1] == '*'
    facts['error_logging'] = bool(re.search(r'\*\tSMART error logging', text))
    facts['general_purpose_logging'] = bool(re.search(r'\*\tGeneral Purpose Logging', text))
    # ACS-4 7.12.7.68: without bit 0 the other bits of word 128 mean nothing; hdparm prints them all the same
    if re.search(r'^Security: *\n\t\tsupported$', text, re.M):
        for word in 'enabled', 'locked', 'frozen':
            facts['security_' + word] = not re.search(r'^\tnot\t%s' % word, text, re.M)
    return facts


def of_drivewhy(j):
    d = j['drives'][0]
    facts = {key: fact['value'] for key, fact in d['facts'].items()}
    for row in d['phy']['counters']:
        facts['counter %04x' % row['id']] = (row['size'], row['value'])
        facts['overflow %04x' % row['id']] = row['saturated']
    for row in d['statistics']:
        facts['statistic %u/%u' % (row['page'], row['offset'])] = row['value']
    m = re.match(r'([\d.]+)', str(facts.get('form_factor', '')))
    if m:
        facts['form_factor'] = m[1]
    return facts


# --- comparing -----------------------------------------------------------------------------------------------

tests = 0


def compare(what, theirs, ours, only=None):
    """Each of THEIRS is in OURS; and, of the quantities that ONLY names, nothing else."""
    global tests
    tests += 1
    wrong = ['%s: theirs %r, ours %r' % (key, value, ours.get(key))
             for key, value in sorted(theirs.items()) if ours.get(key) != value]
    if only:
        wrong += ['%s: ours %r, theirs none' % (key, ours[key])
                  for key in sorted(ours)
                  if key.startswith(only) and key not in theirs and ours[key] is not None]
    for line in wrong:
        print('# ' + line)
    print('%sok %u - %s: %u values' % ('not ' if wrong or not theirs else '', tests, what, len(theirs)))


def main():
    for number, drive in enumerate(DRIVES, 1):
        name = drive[0]
        capture = make_drive(number, drive)
        ours = of_drivewhy(json.loads(run(capture, build + '/drivewhy', '--json', 'show', 'sda')))
        compare(name + ', sg_sat_phy_event', of_sg(run(capture, 'sg_sat_phy_event', '-i', '/dev/sda')), ours,
                'counter')
        phy = of_drivewhy(json.loads(run(capture, build + '/drivewhy', '--json', 'phy', 'sda')))
        compare(name + ', sg_sat_phy_event against phy',
                of_sg(run(capture, 'sg_sat_phy_event', '-i', '--ck_cond', '/dev/sda')), phy, 'counter')
        compare(name + ', hdparm -I', of_hdparm(run(capture, 'hdparm', '-I', '/dev/sda')), ours)
        smartctl = json.loads(run(capture, 'smartctl', '-x', '--json', '-d', 'sat', '/dev/sda'))
        compare(name + ', smartctl -x', of_smartctl(smartctl), ours, ('counter', 'overflow', 'statistic'))
    print('1..%u' % tests)


main()
