#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
A second reader of smartctl's SCSI and NVMe text and of its JSON, written apart from the importers:
regular expressions over the whole text instead of rows, and a table of paths instead of sections.
read_text(TEXT) and read_json(TEXT) give a list of dictionaries of facts.
"""
import json
import re


def number(text):
    return int(re.sub(r"[^0-9]", "", text))


# name of the fact: pattern with one group, and what to make of it
SCSI = [
    ("temperature_celsius", r"Current Drive Temperature:\s+(-?\d+) C", int),
    ("temperature_trip_celsius", r"Drive Trip Temperature:\s+(-?\d+) C", int),
    ("grown_defects", r"Elements in grown defect list:\s+(\d+)\s*$", int),
    ("non_medium_errors", r"Non-medium error count:\s+(\d+)\s*$", int),
    ("life_used_percent", r"Percentage used endurance indicator:\s+(\d+)%", int),
    ("start_stop_cycles", r"(?:Accumulated start-stop cycles|Current start stop count):\s+(\d+)", int),
    ("start_stop_cycles_rated",
     r"(?:Specified cycle count over device lifetime|Recommended start stop count):\s+(\d+)", int),
    ("load_cycles", r"Accumulated load-unload cycles:\s+(\d+)", int),
    ("load_cycles_rated", r"Specified load-unload count over device lifetime:\s+(\d+)", int),
    ("manufactured", r"Manufactured in week (\d+ of year \d+)",
     lambda t: "%s-W%02d" % (t.split()[-1], int(t.split()[0]))),
    ("scsi_blocks_sent", r"Blocks sent to initiator = (\d+)", int),
    ("scsi_blocks_received", r"Blocks received from initiator = (\d+)", int),
    ("scsi_blocks_from_cache", r"Blocks read from cache and sent to initiator = (\d+)", int),
    ("scsi_commands_small", r"whose size <= segment size = (\d+)", int),
    ("scsi_commands_large", r"whose size > segment size = (\d+)", int),
    ("scsi_next_test_minutes", r"until next internal SMART test = (\d+)", int),
    ("power_on_hours", r"(?:hours powered up = |hours:minutes )(\d+)[.,:]\d\d", int),
    ("background_scan_status", r"^\s*Status: (.*?)\s*$", str),
    ("background_scans", r"background scans performed: (\d+),", int),
    ("background_scan_progress_ppm", r"scan progress: (\d+[.,]\d+)%", lambda t: number(t) * 100),
    ("background_medium_scans", r"background medium scans performed: (\d+)", int),
    ("selftest_extended_seconds", r"Long \(extended\) Self.[Tt]est duration: (\d+) seconds", int),
    ("scsi_version", r"^\s*Compliance:\s+(\S+)", str),
    ("scsi_transport", r"Transport protocol:\s+(.*?)\s*$", str),
    ("scsi_device_type", r"Device type:\s+(.*?)\s*$", str),
]

NVME = [
    ("nvme_critical_warning", r"Critical Warning:\s+0x([0-9a-f]{2})", lambda t: int(t, 16)),
    ("temperature_celsius", r"^\s*Temperature:\s+(-?\d+) Celsius", int),
    ("nvme_spare_percent", r"Available Spare:\s+(\d+)%", int),
    ("nvme_spare_threshold_percent", r"Available Spare Threshold:\s+(\d+)%", int),
    ("life_used_percent", r"Percentage Used:\s+(\d+)%", int),
    ("nvme_data_units_read", r"Data Units Read:\s+([^\[\n]+?)\s*(?:\[|$)", number),
    ("nvme_data_units_written", r"Data Units Written:\s+([^\[\n]+?)\s*(?:\[|$)", number),
    ("nvme_read_commands", r"Host Read Commands:\s+(.+)$", number),
    ("nvme_write_commands", r"Host Write Commands:\s+(.+)$", number),
    ("nvme_busy_minutes", r"Controller Busy Time:\s+(.+)$", number),
    ("power_cycles", r"Power Cycles:\s+(.+)$", number),
    ("power_on_hours", r"Power On Hours:\s+(.+)$", number),
    ("nvme_unsafe_shutdowns", r"Unsafe Shutdowns:\s+(.+)$", number),
    ("nvme_media_errors", r"Media and Data Integrity Errors:\s+(.+)$", number),
    ("nvme_error_log_entries", r"Error Information Log Entries:\s+(.+)$", number),
    ("nvme_warning_temperature_minutes", r"Warning  ?Comp\. Temperature Time:\s+(\d+)", int),
    ("nvme_critical_temperature_minutes", r"Critical Comp\. Temperature Time:\s+(\d+)", int),
    ("nvme_thermal_1_transitions", r"Thermal Temp\. 1 Transition Count:\s+(\d+)", int),
    ("nvme_thermal_2_transitions", r"Thermal Temp\. 2 Transition Count:\s+(\d+)", int),
    ("nvme_thermal_1_seconds", r"Thermal Temp\. 1 Total Time:\s+(\d+)", int),
    ("nvme_thermal_2_seconds", r"Thermal Temp\. 2 Total Time:\s+(\d+)", int),
    ("nvme_version", r"NVMe Version:\s+(\S+)", str),
    ("nvme_total_bytes", r"Total NVM Capacity:\s+([^\[\n]+?)\s*\[", number),
    ("nvme_controller_id", r"Controller ID:\s+(\d+)", int),
    ("nvme_namespaces", r"Number of Namespaces:\s+(\d+)", int),
    ("nvme_warning_temperature_celsius", r"Warning  ?Comp\. Temp\. Threshold:\s+(\d+) C", int),
    ("nvme_critical_temperature_celsius", r"Critical Comp\. Temp\. Threshold:\s+(\d+) C", int),
    ("nvme_error_log_read", r"NVMe Log 0x01, (\d+) of", int),
    ("nvme_error_log_size", r"NVMe Log 0x01, \d+ of (\d+) entries", int),
]

BOTH = [
    ("model", r"Model Number:\s+(.*?)\s*$", str),
    ("firmware", r"(?:Firmware Version|Revision):\s+(.*?)\s*$", str),
]

PAGES = {"read": "03", "write": "02", "verify": "05"}
COUNTERS = ("corrected_fast", "corrected_delayed", "retries", "corrected",
            "correction_invocations", "bytes", "uncorrected")


def error_counters(text, facts):
    for m in re.finditer(r"^\s*(read|write|verify):" + r"\s+(\d+)" * 5 +
                         r"\s+(\d+[.,]\d{3})\s+(\d+)\s*$", text, re.M):
        for k, name in enumerate(COUNTERS):
            value = number(m[k + 2]) * (1000000 if name == "bytes" else 1)
            facts["scsi_errors[%s].%s" % (PAGES[m[1]], name)] = value


def scsi_tests(text, facts):
    rows = re.findall(r"^\s*#\s*(\d+)\s+(\S+ \S+|Reserved\(\d\)|Default)\s{2,}(.*?)\s+(-|\d+)\s+(\d+|NOW)"
                      r"\s+(-|\d+)\s+\[(.*?)\]", text, re.M)
    for k, (num, kind, result, _, hours, lba, _) in enumerate(rows):
        at = "selftest[%d]." % k
        facts[at + "number"] = int(num)
        facts[at + "type"] = kind
        facts[at + "result"] = re.sub(r"\s*-->$", "", result)
        if hours != "NOW":
            facts[at + "hours"] = int(hours)
        if lba != "-":
            facts[at + "lba"] = int(lba)


def sas_phys(text, facts):
    """The ports one after another, each cut at its first line."""
    names = {"Invalid DWORD count": "invalid_dwords",
             "Running disparity error count": "disparity_errors",
             "Loss of DWORD synchronization": "losses_of_sync",
             "Phy reset problem": "reset_problems",
             "attached phy identifier": "attached_phy"}
    for port in re.split(r"relative target port id = ", text)[1:]:
        number_of_port = re.match(r"\d+", port)[0]
        phy = re.search(r"^\s*phy identifier = (\d+)", port, re.M)[1]
        at = "sas_port[%s].phy[%s]." % (number_of_port, phy)
        for name, fact in names.items():
            m = re.search(r"^\s*%s(?: count)? = (\d+)" % name, port, re.M)
            if m:
                facts[at + fact] = int(m[1])
        for name, fact in (("attached device type", "attached"), ("reason", "reason"),
                           ("attached reason", "attached_reason"),
                           ("negotiated logical link rate", "state")):
            facts[at + fact] = re.search(r"^\s*%s: (.*?)\s*$" % name, port, re.M)[1]
        m = re.search(r"phy enabled; ([\d.]+) Gbps", port)
        if m:
            facts[at + "rate_mbps"] = int(float(m[1]) * 1000)


def scsi_names(text, facts):
    old = re.search(r"^\s*Device: (.*?)\s*Version: (\S+)", text, re.M)
    new = re.search(r"^\s*Vendor:\s+(.*?)\s*\n\s*Product:\s+(.*?)\s*$", text, re.M)
    if old:
        facts["model"], facts["firmware"] = re.sub(r"\s+", " ", old[1]), old[2]
    elif new:
        layer = new[1] in ("ATA", "NVMe")
        facts["model"] = new[2] if layer else new[1] + " " + new[2]


def nvme_tables(text, facts):
    for num, celsius in re.findall(r"Temperature Sensor (\d):\s+(-?\d+) Celsius", text):
        facts["nvme_sensor[%s].celsius" % num] = int(celsius)
    rows = re.findall(r"^\s*(\d+)\s{2,}(Short|Extended|Vendor specific)\s{2,}(.*?)\s{2,}(\d+)\s+(-|\d+)"
                      r"\s+(?:-|\*|\d+)\s", text, re.M)
    for k, (num, kind, result, hours, lba) in enumerate(rows):
        at = "selftest[%d]." % k
        facts[at + "number"], facts[at + "hours"] = int(num), int(hours)
        facts[at + "type"], facts[at + "result"] = kind, result
        if lba != "-":
            facts[at + "lba"] = int(lba)
    states = re.search(r"Supported Power States\n.*?\n(.*?)\n\s*\n", text + "\n\n", re.S)
    for line in states[1].splitlines() if states else []:
        w = line.split()
        at = "nvme_power_state[%s]." % w[0]
        facts[at + "operational"] = int(w[1] == "+")
        facts[at + "entry_us"], facts[at + "exit_us"] = int(w[9]), int(w[10])
        for k, name in ((2, "max"), (3, "active"), (4, "idle")):
            if w[k].endswith("W"):
                facts["%s%s_microwatts" % (at, name)] = round(float(w[k][:-1]) * 1000000)


def read_report(text):
    nvme = "NVMe Log" in text or "NVM Capacity" in text or "Model Number:" in text
    scsi = re.search(r"Error counter log:|grown defect list|Drive Temperature:|SMART Health Status:|"
                     r"Transport protocol:", text)
    if not nvme and not scsi:
        return {}
    facts = {}
    for name, pattern, make in (NVME if nvme else SCSI) + BOTH:
        m = re.search(pattern, text, re.M)
        if m and "..." not in m[1]:
            facts[name] = make(m[1])
    if nvme:
        nvme_tables(text, facts)
    else:
        scsi_names(text, facts)
        error_counters(text, facts)
        scsi_tests(text, facts)
        sas_phys(text, facts)
    return facts


def read_text(raw):
    text = raw.replace("\xa0", " ").replace("\u202f", " ").replace("\r", "")
    text = "\n".join(line.strip() for line in text.split("\n"))
    facts = read_report(text)
    return [facts] if facts else []


# --- JSON: path with [] for elements whose number or member is the key of the fact ----------------

PATHS = [
    ("serial_number", "serial"), ("user_capacity.bytes", "capacity_bytes"),
    ("logical_block_size", "logical_sector_bytes"),
    ("physical_block_size", "physical_sector_bytes"), ("rotation_rate", "rotation_rpm"),
    ("smart_status.passed", "smart_passed"), ("smartctl.exit_status", "posted_exit_status"),
    ("ata_smart_data.self_test.status.value", "selftest_status"),
    ("ata_smart_data.offline_data_collection.status.value", "offline_status"),
    ("ata_smart_data.self_test.polling_minutes.short", "selftest_short_minutes"),
    ("ata_smart_data.self_test.polling_minutes.extended", "selftest_extended_minutes"),
    ("ata_sct_status.temperature.current", "sct_temperature_celsius"),
    ("ata_sct_status.temperature.lifetime_max", "sct_lifetime_max_celsius"),
    ("ata_sct_status.temperature.over_limit_count", "sct_over_limit_count"),
    ("scsi_grown_defect_list", "grown_defects"),
    ("scsi_percentage_used_endurance_indicator", "life_used_percent"),
    ("scsi_extended_self_test_seconds", "selftest_extended_seconds"),
    ("scsi_start_stop_cycle_counter.accumulated_start_stop_cycles", "start_stop_cycles"),
    ("scsi_start_stop_cycle_counter.accumulated_load_unload_cycles", "load_cycles"),
    ("scsi_background_scan.status.number_scans_performed", "background_scans"),
    ("scsi_background_scan.status.string", "background_scan_status"),
    ("nvme_controller_id", "nvme_controller_id"), ("nvme_version.string", "nvme_version"),
    ("nvme_pci_vendor.id", "nvme_pci_vendor"), ("nvme_total_capacity", "nvme_total_bytes"),
]
HEALTH = {
    "critical_warning": "nvme_critical_warning", "temperature": "temperature_celsius",
    "available_spare": "nvme_spare_percent",
    "available_spare_threshold": "nvme_spare_threshold_percent",
    "percentage_used": "life_used_percent", "data_units_read": "nvme_data_units_read",
    "data_units_written": "nvme_data_units_written", "host_reads": "nvme_read_commands",
    "host_writes": "nvme_write_commands", "controller_busy_time": "nvme_busy_minutes",
    "power_cycles": "power_cycles", "power_on_hours": "power_on_hours",
    "unsafe_shutdowns": "nvme_unsafe_shutdowns", "media_errors": "nvme_media_errors",
    "num_err_log_entries": "nvme_error_log_entries",
    "warning_temp_time": "nvme_warning_temperature_minutes",
    "critical_comp_time": "nvme_critical_temperature_minutes",
}
COLUMNS = {"errors_corrected_by_eccfast": "corrected_fast",
           "errors_corrected_by_eccdelayed": "corrected_delayed",
           "errors_corrected_by_rereads_rewrites": "retries",
           "total_errors_corrected": "corrected",
           "correction_algorithm_invocations": "correction_invocations",
           "total_uncorrected_errors": "uncorrected"}


def follow(o, path):
    for key in path.split("."):
        o = o.get(key) if isinstance(o, dict) else None
    return o


def first_number(text):
    m = re.match(r"-?(0x[0-9a-f]+|\d+)(?=$|[ h/(+,])", text)
    return int(m[1], 0) if m and not text.startswith("-") else None


def json_ata(d, facts):
    for a in follow(d, "ata_smart_attributes.table") or []:
        at = "attr[%d]." % a["id"]
        facts[at + "name"], facts[at + "value"] = a["name"], a["value"]
        facts[at + "worst"], facts[at + "threshold"] = a["worst"], a["thresh"]
        facts[at + "flags"], facts[at + "when_failed"] = a["flags"]["value"], a["when_failed"]
        facts[at + "raw_text"] = a["raw"]["string"]
        if first_number(a["raw"]["string"]) is not None:
            facts[at + "raw"] = first_number(a["raw"]["string"])
    for p in follow(d, "sata_phy_event_counters.table") or []:
        facts["phy[%03x].value" % p["id"]] = p["value"]
        facts["phy[%03x].size" % p["id"]] = p["size"]
    for page in follow(d, "ata_device_statistics.pages") or []:
        for s in page.get("table", []):
            if s["flags"]["valid"]:
                facts["stat[%02x/%03x].value" % (page["number"], s["offset"])] = s["value"]
    log = d.get("ata_smart_error_log", {})
    log = log.get("extended", log.get("summary", {}))
    if "count" in log:
        facts["error_count"] = log["count"]
    for k, e in enumerate(log.get("table", [])):
        facts["error[%d].number" % k] = e["error_number"]
        facts["error[%d].hours" % k] = e["lifetime_hours"]
        facts["error[%d].error" % k] = e["completion_registers"]["error"]
        facts["error[%d].status" % k] = e["completion_registers"]["status"]
    log = d.get("ata_smart_self_test_log", {})
    log = log.get("extended", log.get("standard", {}))
    for k, t in enumerate(log.get("table", [])):
        facts["selftest[%d].type" % k] = t["type"]["string"]
        facts["selftest[%d].result" % k] = t["status"]["string"]
        facts["selftest[%d].hours" % k] = t["lifetime_hours"]


def json_report(d):
    facts = {}
    for path, name in PATHS:
        value = follow(d, path)
        if value not in (None, "REDACTED", "not_available"):
            facts[name] = value
    if "nvme_total_capacity" in d:
        facts["capacity_bytes"] = d["nvme_total_capacity"]
    protocol = follow(d, "device.protocol")
    for key, name in HEALTH.items():
        value = follow(d, "nvme_smart_health_information_log." + key)
        if value is not None:
            facts[name] = value
    if protocol == "SCSI":
        for path, name in (("temperature.current", "temperature_celsius"),
                           ("temperature.drive_trip", "temperature_trip_celsius"),
                           ("power_on_time.hours", "power_on_hours")):
            if follow(d, path) is not None:
                facts[name] = follow(d, path)
        for k in range(20):
            t = d.get("scsi_self_test_%d" % k)
            if t:
                facts["selftest[%d].type" % k] = t["code"]["string"]
                facts["selftest[%d].result" % k] = t["result"]["string"]
                facts["selftest[%d].hours" % k] = t["power_on_time"]["hours"]
    tests = follow(d, "nvme_self_test_log.table") or []
    for k, t in enumerate([t for t in tests if t]):
        facts["selftest[%d].type" % k] = t["self_test_code"]["string"]
        facts["selftest[%d].result" % k] = t["self_test_result"]["string"]
        facts["selftest[%d].hours" % k] = t["power_on_hours"]
    for operation, page in PAGES.items():
        log = follow(d, "scsi_error_counter_log." + operation) or {}
        for key, name in COLUMNS.items():
            if key in log:
                facts["scsi_errors[%s].%s" % (page, name)] = log[key]
        if "gigabytes_processed" in log:
            facts["scsi_errors[%s].bytes" % page] = number(log["gigabytes_processed"]) * 1000000
    json_ata(d, facts)
    return facts


def read_json(raw):
    try:
        d = json.loads(raw)
    except ValueError:
        return []
    reports = d if isinstance(d, list) else [d]
    return [json_report(r) for r in reports if "devices" not in r]
