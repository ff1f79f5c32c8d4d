#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
A second reader of smartctl's ATA text, to check the importer against. It was written from the
text of the reports alone, knows nothing of the importer, and is meant to be obviously right rather
than clever: one regular expression a section, and no repair beyond lines that mail has wrapped.

    read-smartctl.py FILE

prints one line NAME=VALUE for each fact it knows, in the names of src/model/fact.def, sorted. When
a file holds several reports they come one after another, separated by a line "--". Lists are
numbered from 0 in the order of the text.
"""
import re
import sys

WORD = r"(\d{3}|0x[0-9a-f]{2}|----?)"  # "-f hex" prints 0x64
# PO--CK, with a seventh sign when other flag bits are set; 5.37 wrote M for K; older ones 0x0033
FLAGS = r"([P-][O-][S-][R-][C-][KM-]\+?|0x[0-9a-f]{4})"
ROW_START = r"(\d{1,3}|0x[0-9a-f]{2}) (\S.*?) " + FLAGS + (" " + WORD) * 3
# 5 Name  PO--CK  100  100  010  -  0
BRIEF_ROW = re.compile(ROW_START + r" (-|NOW|Past) (.+)")
# 5 Name  0x0033  100  100  010  Pre-fail  Always  -  0          UPDATED came with 5.1-8
OLD_ROW = re.compile(
    ROW_START + r" (?:Pre-fail|Old_age)(?: Always| Offline)? (-|FAILING_NOW|In_the_past) (.+)")

FAILED = {"-": "", "NOW": "now", "FAILING_NOW": "now", "Past": "past", "In_the_past": "past"}

PHY_ROW = re.compile(r"0x([0-9a-f]{4}) (\d) (\d+)(\+?) (\S.*)")
STAT_ROW = re.compile(r"0x([0-9a-f]{2}) 0x([0-9a-f]{3}) (\d) (-|-?\d+) ([N-][D-][C-]\+?) ")
OLD_STAT_ROW = re.compile(r"(\d) 0x([0-9a-f]{3}) (\d) (-|-?\d+)(~?) ")
LOG_ROW = re.compile(r"0x([0-9a-f]{2})(?:-0x([0-9a-f]{2}))? (GPL|SL|GPL,SL) (R/O|R/W|VS|-) (\d+) \S.*")
OLD_LOG_ROW = re.compile(r"(GP/S|GP|SMART) Log at address 0x([0-9a-f]{2}) has (\d+) sectors? \[.*\]")

ERROR_HEAD = re.compile(r"Error (\d+)(?: \[\d+\])? occurred at disk power-on lifetime: (\d+) hours")
EXT_REGISTERS = re.compile(r"([0-9a-f]{2}) -- ([0-9a-f]{2})(?: [0-9a-f]{2}){10}(?: |$)")
REGISTERS = re.compile(r"([0-9a-f]{2}) ([0-9a-f]{2})(?: [0-9a-f]{2}){5}(?: |$)")
OLD_REGISTERS = re.compile(r"ER:([0-9a-f]{2}) SC:.. SN:.. CL:.. CH:.. D/H:.. ST:([0-9a-f]{2})$")

SELFTEST_ROW = re.compile(
    r"# ?(\d+) (\S.*?) ((?:Completed|Aborted|Interrupted|Fatal|Unknown|Self-test routine).*?)"
    r" (\d{1,2})% (\d+)(?: (-|\d+|0x[0-9a-f]+))?$")

LINES = {  # label of a line, names of the numbers behind it
    "Current Temperature": ("sct_temperature_celsius",),
    "Power Cycle Min/Max Temperature": ("sct_cycle_min_celsius", "sct_cycle_max_celsius"),
    "Lifetime Min/Max Temperature": ("sct_lifetime_min_celsius", "sct_lifetime_max_celsius"),
    "Lifetime Average Temperature": ("sct_lifetime_average_celsius",),
    "Specified Max Operating Temperature": ("sct_specified_max_celsius",),
    "Min/Max recommended Temperature": ("sct_recommended_min_celsius",
                                        "sct_recommended_max_celsius"),
    "Min/Max Temperature Limit": ("sct_limit_min_celsius", "sct_limit_max_celsius"),
    "Under/Over Temperature Limit Count": ("sct_under_limit_count", "sct_over_limit_count"),
}


# The last word of a text that does not end with a newline may have lost its end.
CUT = "\ufffd"


def decode(data):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def clean(line):
    """Runs of white space, no-break spaces among them, become one space."""
    return re.sub(r"\s+", " ", line).strip()


def capacity(text):
    """1,000,204,886,016 bytes: any single sign may stand between the groups of three."""
    m = re.match(r"(\d{1,3}(?:\D\d{3})+|\d+) bytes(?: \[.* ([GT])B\])?", text)
    if not m:
        return None
    number = int(re.sub(r"\D", "", m[1]))
    if m[2] and number < 10**9:
        return None  # "120 bytes [120 GB]": all groups but the first are lost
    return number


def number_of(text):
    return int(text, 16 if text.startswith("0x") else 10)


def read_attribute(facts, row):
    number, words, flags, value, worst, threshold, failed, raw = row.groups()
    name = "attr[%d]." % number_of(number)
    if name + "when_failed" in facts:
        return  # the list of failed attributes is repeated
    facts[name + "name"] = words
    if flags.startswith("0x"):
        facts[name + "flags"] = int(flags, 16)
    elif not flags.endswith("+"):  # P is bit 0 ... K is bit 5; "+" stands for bits not told
        facts[name + "flags"] = sum(1 << bit for bit in range(6) if flags[bit] != "-")
    for key, text in (("value", value), ("worst", worst), ("threshold", threshold)):
        if not text.startswith("---"):
            facts[name + key] = number_of(text)
    facts[name + "when_failed"] = FAILED[failed]
    if CUT in raw:
        return
    facts[name + "raw_text"] = raw
    parts = raw.split(" ")
    # raw16 and raw8 of smartctl(8): all words or bytes of the value, the highest first
    if len(parts) in (3, 6) and all(re.fullmatch(r"\d+", p) for p in parts):
        bits = 48 // len(parts)
        if all(int(p) < 1 << bits for p in parts):
            facts[name + "raw"] = sum(int(p) << bits * k for k, p in enumerate(reversed(parts)))
            return
    m = re.match(r"(-?)(0x[0-9a-fA-F]+|\d+)", raw)
    if m:
        facts[name + ("raw_signed" if m[1] else "raw")] = number_of(m[2]) * (-1 if m[1] else 1)


def attribute_row(line, after):
    """A row; mail may have wrapped it behind TYPE or before or inside "(Min/Max 22/37)"."""
    if not re.match(ROW_START, line):
        return None
    row = BRIEF_ROW.fullmatch(line) or OLD_ROW.fullmatch(line)
    if not row or after.startswith("(") or ("(" in row[8] and ")" not in row[8]):
        row = BRIEF_ROW.fullmatch(line + " " + after) or OLD_ROW.fullmatch(line + " " + after)
    return row


def read_labels(facts, line):
    m = re.fullmatch(r"([A-Z][^:]*?) ?: ?(.*)", line)
    if not m:
        return
    label, text = m.groups()
    if label == "Device Model" and text:
        facts["model"] = text
    elif label == "Firmware Version" and text:
        facts["firmware"] = text
    elif label == "User Capacity" and capacity(text) is not None:
        facts["capacity_bytes"] = capacity(text)
    elif label == "Rotation Rate":
        rpm = re.match(r"(\d+) rpm", text)
        if rpm:
            facts["rotation_rpm"] = int(rpm[1])
        elif text == "Solid State Device":
            facts["rotation_rpm"] = 0
    elif label == "SATA Version is":
        fastest = re.search(r", (\d)\.(\d) Gb/s", text)
        current = re.search(r"\(current: (\d)\.(\d) Gb/s\)", text)
        if fastest:
            facts["link_device_max_mbps"] = int(fastest[1] + fastest[2]) * 100
        if current:
            facts["link_current_mbps"] = int(current[1] + current[2]) * 100
    elif label == "SMART overall-health self-assessment test result":
        result = re.match(r"PASSED|FAILED!", text)
        if result:
            facts["smart_passed"] = int(result[0] == "PASSED")
    elif label in ("ATA Error Count", "Device Error Count"):
        count = re.match(r"\d+", text)
        if count and "invalid" not in text:
            facts["error_count"] = int(count[0])
    elif label in LINES:
        numbers = text.removesuffix(" Celsius").split("/")
        for name, number in zip(LINES[label], numbers):
            if re.fullmatch(r" ?-?\d+", number):
                facts[name] = int(number)


def read_erc(facts, lines, i):
    for line in lines[i + 1:i + 3]:
        m = re.match(r"(Read|Write): (?:(\d+) \(|Disabled)", line)
        if m:
            facts["erc_%s_ds" % m[1].lower()] = int(m[2] or 0)


def read_defects(facts, lines, i):
    if i + 1 < len(lines) and lines[i + 1] == "No Defects Logged":
        facts["pending_defects"] = 0
    elif i + 1 < len(lines) and lines[i + 1] == "Index LBA Hours":
        n = 0
        for line in lines[i + 2:]:
            row = re.fullmatch(r"(\d+) (\d+) (\d+|-)", line)
            if not row:
                break
            facts["pending_defect[%d].lba" % n] = int(row[2])
            if row[3] != "-":
                facts["pending_defect[%d].hours" % n] = int(row[3])
            n += 1
        rest = re.fullmatch(r"\.\.\. \((\d+) entries not shown\)", "".join(lines[i + 2 + n:i + 3 + n]))
        facts["pending_defects"] = n + int(rest[1]) if rest else n


def read_log_row(facts, line):
    m = LOG_ROW.fullmatch(line)
    if m:
        first, last, kinds, access, sectors = m.groups()
        kinds = kinds.split(",")
    else:
        m = OLD_LOG_ROW.fullmatch(line)
        if not m:
            return
        kinds = {"GP/S": ("GPL", "SL"), "GP": ("GPL",), "SMART": ("SL",)}[m[1]]
        first, last, access, sectors = m[2], None, None, m[3]
    for log in range(int(first, 16), int(last or first, 16) + 1):
        if access:
            facts["log[%02x].access" % log] = access
        for kind in kinds:
            facts["log[%02x].%s_sectors" % (log, "gpl" if kind == "GPL" else "smart")] = int(sectors)


class Errors:
    """Registers belong to the error whose heading stands above them, once."""

    def __init__(self):
        self.n = 0
        self.wants_registers = False

    def read(self, facts, line):
        head = ERROR_HEAD.match(line)
        if head:
            facts["error[%d].number" % self.n] = int(head[1])
            facts["error[%d].hours" % self.n] = int(head[2])
            self.n += 1
            self.wants_registers = True
            return
        if not self.wants_registers:
            return
        registers = EXT_REGISTERS.match(line) or REGISTERS.match(line) or OLD_REGISTERS.match(line)
        if registers:
            facts["error[%d].error" % (self.n - 1)] = int(registers[1], 16)
            facts["error[%d].status" % (self.n - 1)] = int(registers[2], 16)
            self.wants_registers = False
        elif line.startswith(("Commands leading", "Sequence of commands")):
            self.wants_registers = False


def read_selftest(facts, line, n):
    m = SELFTEST_ROW.fullmatch(line)
    if not m:
        return n
    name = "selftest[%d]." % n
    facts[name + "number"] = int(m[1])
    facts[name + "type"] = m[2]
    facts[name + "result"] = m[3]
    facts[name + "remaining_percent"] = int(m[4])
    facts[name + "hours"] = int(m[5])
    if m[6] and m[6] != "-":
        facts[name + "lba"] = int(m[6], 16 if m[6].startswith("0x") else 10)
    return n + 1


def read_report(lines):
    facts = {}
    errors = Errors()
    selftests = 0
    for i, line in enumerate(lines):
        row = attribute_row(line, lines[i + 1] if i + 1 < len(lines) else "")
        if row:
            read_attribute(facts, row)
        m = PHY_ROW.fullmatch(line)
        if m:
            name = "phy[%s]." % ("%03x" % int(m[1], 16))
            facts[name + "size"] = int(m[2])
            facts[name + "value"] = int(m[3])
            facts[name + "name"] = m[5].rstrip(CUT)
            if m[4]:
                facts[name + "saturated"] = 1
        m = STAT_ROW.match(line) or OLD_STAT_ROW.match(line)
        if m:
            name = "stat[%02x/%s]." % (int(m[1], 16), m[2])
            facts[name + "size"] = int(m[3])
            facts[name + "flags"] = "N--" if m[5] == "~" else m[5]
            if m[4] != "-":
                facts[name + "value"] = int(m[4])
        read_labels(facts, line)
        read_log_row(facts, line)
        errors.read(facts, line)
        selftests = read_selftest(facts, line, selftests)
        if line == "No Errors Logged":
            facts["error_count"] = 0
        elif line == "SCT Error Recovery Control:":
            read_erc(facts, lines, i)
        elif line == "Pending Defects log (GP Log 0x0c)":
            read_defects(facts, lines, i)
    return facts


def split_reports(lines):
    """A report starts where smartctl names itself, and with a second attribute table."""
    reports = [[]]
    tables = 0
    for line in lines:
        table = line.startswith("ID# ATTRIBUTE_NAME")
        if re.match(r"smartctl (version )?\d+\.\d", line) or (table and tables):
            reports.append([])
            tables = 0
        tables += table
        reports[-1].append(line)
    return reports


def is_ata(lines):
    return any(re.match(r"ID# ATTRIBUTE_NAME|ATA Version is|SATA Version is|ID Size Value Description",
                        line) for line in lines)


def read_file(path):
    with open(path, "rb") as f:
        lines = [clean(line) for line in decode(f.read()).split("\n")]
    if lines[-1]:
        lines[-1] += CUT
    return [read_report(report) for report in split_reports(lines) if is_ata(report)]


def main():
    sys.stdout.reconfigure(encoding="utf-8")
    for n, facts in enumerate(read_file(sys.argv[1])):
        if n:
            print("--")
        for name in sorted(facts):
            print("%s=%s" % (name, facts[name]))


if __name__ == "__main__":
    main()
