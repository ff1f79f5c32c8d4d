# SPDX-License-Identifier: GPL-2.0-or-later
"""Read real outputs of fio in the simplest way, and compare with what drivewhy reads in them.

Usage: fio-corpus.py PROGRAM FILE...    prints TAP
Text is read with one regular expression a figure; JSON by the json module.
"""
import json
import os
import re
import subprocess
import sys

UNIT = {"nsec": 1, "usec": 1000, "msec": 1000000}
THOUSAND = {"": 1, "K": 1000, "k": 1000, "M": 1000000}
SIZE = {"B": 1, "K": 1024, "KiB": 1024, "M": 1048576, "MiB": 1048576}


def read_text(text):
    """A list of runs and a list of disks; text is one or more whole outputs without JSON."""
    runs, disks, block = [], [], None
    for line in text.splitlines():
        m = re.search(r"\(g=\d+\): rw=\S+, bs=(?:\(R\) )?([\d.]+)(B|KiB|K|MiB|M)-", line)
        if m:
            block = int(float(m[1]) * SIZE[m[2]])
        m = re.match(r"\s*(read|write)\s*: (?:io|IOPS)=", line)
        if m:
            runs.append({"direction": m[1], "block": block, "percentile": {}})
            runtime = re.search(r"runt=\s*(\d+)msec", line) or re.search(r"/(\d+)msec\)", line)
            runs[-1]["runtime"] = int(runtime[1])
        m = re.match(r"\s*(slat|clat|lat) \((\w+)\)\s*: min=\s*([\d.]+)([Kk]?)\s*, "
                     r"max=\s*([\d.]+)([Kk]?)\s*, avg=\s*([\d.]+)", line)
        if m:
            runs[-1][m[1]] = [round(float(m[3]) * THOUSAND[m[4]] * UNIT[m[2]]),
                              round(float(m[5]) * THOUSAND[m[6]] * UNIT[m[2]]),
                              round(float(m[7]) * UNIT[m[2]])]
        m = re.match(r"\s*clat percentiles \((\w+)\)", line)
        if m:
            unit = UNIT[m[1]]
        for p, v in re.findall(r"([\d.]+)th=\[\s*(\d+)\]", line):
            runs[-1]["percentile"]["%g" % float(p)] = int(v) * unit
        m = re.search(r"issued.*: total=(?:r=(\d+)/w=(\d+)|(\d+),(\d+))", line)
        if m:
            counts = [int(n) for n in m.groups() if n is not None]
            runs[-1]["ios"] = counts[0 if runs[-1]["direction"] == "read" else 1]
        m = re.match(r"\s*(\w+): ios=(\d+)/(\d+),.* merge=(\d+)/(\d+), ticks=(\d+)/(\d+), "
                     r"in_queue=(\d+), util=([\d.]+)%", line)
        if m:
            disks.append([m[1]] + [int(n) for n in m.groups()[1:8]] +
                         [round(float(m[9]) * 10000)])
    for run in runs:
        run["bytes"] = run["ios"] * run["block"]
    return runs, disks


def read_json(text):
    """The same from the JSON that stands in it."""
    start = re.search(r"^\{", text, re.M).start()
    doc, _ = json.JSONDecoder().raw_decode(text[start:])
    runs, disks = [], []
    for job in doc["jobs"]:
        for direction in "read", "write":
            part = job.get(direction)
            if not part or not part["runtime"]:
                continue
            run = {"direction": direction, "runtime": part["runtime"],
                   "ios": part["total_ios"], "percentile": {},
                   "bytes": part["io_bytes"] * (1 if "io_kbytes" in part else 1024)}
            for name in "slat", "clat", "lat":
                lat = part.get(name + "_ns")
                if lat:
                    run[name] = [lat["min"], lat["max"], round(lat["mean"])]
            for p, v in part.get("clat_ns", {}).get("percentile", {}).items():
                run["percentile"]["%g" % float(p)] = v
            runs.append(run)
    for d in doc.get("disk_util", []):
        disks.append([d["name"], d["read_ios"], d["write_ios"], d["read_merges"],
                      d["write_merges"], d["read_ticks"], d["write_ticks"], d["in_queue"],
                      round(d["util"] * 10000)])
    return runs, disks


def read_ours(program, path):
    out = subprocess.run([program, "show", "--json", path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=False).stdout
    drives = json.loads(out)["drives"]
    runs = [run for drive in drives for run in drive["reads"]]
    disks = [[d["name"], d["reads"], d["writes"], d["read_merges"], d["write_merges"],
              d["read_ms"], d["write_ms"], d["queue_ms"], d["util_ppm"]]
             for drive in drives for d in drive["disks"] or []]
    return runs, disks


def differences(ours, want):
    """What of a run is not the same: (name, ours, theirs)"""
    pairs = [("direction", ours["direction"], want["direction"]),
             ("requests", ours["ios"], want["ios"]),
             ("run time", ours["runtime_ms"], want["runtime"]),
             ("bytes", ours["bytes"], want["bytes"]),
             ("percentiles", ours["latency_ns"]["percentile"] if want["percentile"] else {},
              want["percentile"])]
    lat = want.get("lat")
    if lat:
        mine = ours["latency_ns"]
        pairs += [("latency", [mine["min"], mine["max"], mine["mean"]], lat)]
    bad = [p for p in pairs if p[1] != p[2]]
    for name, mine, amount in (("rate", ours["iops"], want["ios"]),
                               ("bandwidth", ours["bandwidth_bytes"], want["bytes"])):
        rate = amount * 1000 / want["runtime"]
        if mine is None or abs(mine - rate) > max(0.51 if name == "bandwidth" else 0.001, 0):
            bad.append((name, mine, rate))
    return bad


def main():
    program, paths = sys.argv[1], sys.argv[2:]
    print("1..%d" % len(paths))
    for number, path in enumerate(paths, 1):
        with open(path, encoding="utf-8") as file:
            text = file.read().replace("\r", "\n")
        runs, disks = (read_json if '"fio version"' in text else read_text)(text)
        our_runs, our_disks = read_ours(program, path)
        bad = []
        if len(our_runs) != len(runs):
            bad.append(("number of runs", len(our_runs), len(runs)))
        for ours, want in zip(our_runs, runs):
            bad += differences(ours, want)
        if our_disks != disks:
            bad.append(("disks", our_disks, disks))
        for name, mine, theirs in bad:
            print("# %s: %s here, %s in the text" % (name, mine, theirs))
        print("%s %d - %s: %d runs, %d disks" % ("not ok" if bad or not runs else "ok", number,
                                                 os.path.basename(path), len(runs), len(disks)))


main()
