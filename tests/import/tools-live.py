# SPDX-License-Identifier: GPL-2.0-or-later
"""Real tools against drivewhy: tools-live.py DRIVEWHY WORK FAKE-SATA CAPTURES CORPUS, speaks TAP."""
import concurrent.futures
import glob
import json
import math
import os
import re
import shutil
import struct
import subprocess
import sys

program, work, fake, captures, corpus = [os.path.abspath(p) for p in sys.argv[1:6]]
tests = bad = 0


def check(what, good, why=""):
    global tests, bad
    tests += 1
    bad += not good
    print(("ok" if good else "not ok"), tests, "-", what.replace("#", ""))
    if not good:
        print("#", str(why).replace("\n", "\n# ")[:600])


def skip(what):
    global tests
    tests += 1
    print("ok", tests, "# SKIP", what, "is not there, or cannot run here")


def same(what, ours, theirs):
    check(what, ours == theirs, f"ours {ours!r}, theirs {theirs!r}")


def near(what, ours, theirs, slack):
    good = ours is not None and abs(ours - theirs) <= slack
    check(what, good, f"ours {ours!r}, theirs {theirs!r}, may differ by {slack}")


def run(*command, **more):
    try:
        p = subprocess.run(command, cwd=work, capture_output=True, timeout=120,
                           env={**os.environ, "LC_ALL": "C", **more})
    except (OSError, subprocess.TimeoutExpired):
        return None
    return (p.stdout + p.stderr).decode("utf-8", "replace") if p.returncode == 0 else None


def has(name):
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin") is not None


def ours(text, name="posted.txt", unknown_allowed=False):
    """What drivewhy makes of a text, as JSON; each line must have been understood."""
    path = os.path.join(work, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    p = subprocess.run([program, "show", "--json", path], capture_output=True)
    doc = json.loads(p.stdout or b"{}")
    odd = [m["text"] for m in doc.get("messages", []) if "not understood" in m["text"] or
           "damaged" in m["text"]]
    if not unknown_allowed:
        same(f"{name}: nothing that is not understood", odd, [])
    return doc


def capture(text):
    """Items of bytes of the capture made from a text."""
    path = os.path.join(work, "page.txt")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    p = subprocess.run([program, "capture", path], capture_output=True)
    items, current, last = {}, None, b""
    for line in p.stdout.decode().splitlines():
        word = line.split()
        if line.startswith("item "):
            current = items.setdefault(word[1], bytearray()) if word[1].startswith("ata/") else None
        elif current is not None and re.fullmatch(r"[0-9a-f]{4,}( [0-9a-f]{2})+", line):
            while len(current) < int(word[0], 16):
                current += last
            last = bytes(int(w, 16) for w in word[1:])
            current += last
        elif current is not None and re.fullmatch(r"[0-9a-f]{4,}", line):
            while len(current) < int(line, 16):
                current += last
    return {k: bytes(v) for k, v in items.items()}


def reads(doc):
    return [r for d in doc["drives"] for r in d["reads"]]


# ---- fio ------------------------------------------------------------------------------------

def fio_terse_judged():
    """A slow run of a known drive: the line of fields gets the code that the text gets."""
    command = ["fio", "--name=slow", "--filename=file", "--size=4m", "--rw=randread", "--bs=4k",
               "--ioengine=psync", "--runtime=1", "--time_based", "--disk_util=0",
               "--rate_iops=90"]
    with open(os.path.join(captures, "../cases/slow-ssd-smart.txt"), encoding="utf-8") as f:
        drive = f.read()
    for version in "35":
        out = run(*command, "--output-format=normal,terse", "--terse-version=" + version)
        if out is None:
            return skip("fio at a limited rate")
        lines = out.splitlines(True)
        terse = [l for l in lines if re.match(r"\d;fio-", l)]
        text = [l for l in lines if l not in terse]
        found = []
        for part in (text, terse, []):
            path = os.path.join(work, "slow.txt")
            with open(path, "w", encoding="utf-8") as f:
                f.write(drive + "\n$ " + " ".join(command) + "\n" + "".join(part))
            p = subprocess.run([program, "why", "--json", path], capture_output=True)
            doc = json.loads(p.stdout)["drives"]
            found.append([f["code"] for f in doc[0]["findings"] if not f["runner_up"]])
        same(f"terse {version}: the code of the text", found[1], found[0])
        check(f"terse {version}: the run is what speaks", found[0] and found[0] != found[2], found)


def fio():
    if not has("fio"):
        return skip("fio")
    common = ["fio", "--filename=file", "--size=4m", "--ioengine=psync", "--name=first",
              "--rw=randread", "--bs=4k", "--name=second", "--new_group", "--rw=randrw", "--bs=8k"]
    for version in "345":
        out = run(*common, "--output-format=terse,json", "--terse-version=" + version)
        if out is None:
            return skip("fio")
        terse = "".join(l + "\n" for l in out.splitlines() if re.match(r"\d;fio-", l))
        jobs = json.loads(out[out.index("\n{") + 1 if not out.startswith("{") else 0:
                              out.rindex("\n}") + 2])["jobs"]
        got = reads(ours(terse, f"terse {version}.txt"))
        want = [(j, d, j[d]) for j in jobs for d in ("read", "write") if j[d]["runtime"]]
        same(f"terse {version}: runs", len(got), len(want))
        for r, (job, d, part) in zip(got, want):
            name = f"terse {version}: {job['jobname']} {d}"
            same(name + " title", (r["title"], r["direction"]), (job["jobname"], d))
            same(name + " run time", r["runtime_ms"], part["runtime"])
            same(name + " bytes", r["bytes"], part["io_bytes"] // 1024 * 1024)
            same(name + " rate", r["posted_iops"], math.floor(part["iops"]))
            for key, value in part["lat_ns"].items():
                if key in ("mean", "stddev"):
                    near(f"{name} {key}", r["latency_ns"][key], value, 1)
                elif key in ("min", "max") and value >= 1000:
                    same(f"{name} {key}", r["latency_ns"][key], value // 1000 * 1000)
            for key, value in part["clat_ns"]["percentile"].items():
                if value >= 1000:
                    same(f"{name} percentile {key}",
                         r["latency_ns"]["percentile"].get(f"{float(key):g}"), value // 1000 * 1000)
            if job["jobname"] == "first":
                for unit, ns in (("us", 1000), ("ms", 1000000)):
                    for key, value in job["latency_" + unit].items():
                        if value and key != ">=2000" and (unit, key) != ("us", "2"):
                            edge = int(key) * ns
                            b = [b["share"] for b in r["buckets"] if b["up_to_ns"] == edge]
                            near(f"{name} up to {edge}", b[0] * 100 if b else None, value, 0.006)
        # with its command, a line tells the same of a run as the JSON does
        command = "$ " + " ".join(common) + " --output-format=terse\n"
        for r, (job, d, part) in zip(reads(ours(command + terse, "terse.txt")), want):
            name = f"terse {version} and command: {job['jobname']} {d}"
            options = job["job options"]
            same(name, (r["pattern"], r["engine"], r["block_bytes"], r["depth"], r["jobs"]),
                 (options["rw"], "psync", int(options["bs"][:-1]) * 1024, 1, 1))
            same(name + " requests", r["ios"], part["total_ios"])
            near(name + " rate", r["iops"], part["total_ios"] * 1000 / part["runtime"], 0.001)
            near(name + " bandwidth", r["bandwidth_bytes"],
                 part["io_bytes"] * 1000 / part["runtime"], 1)
        same(f"terse {version} beside its JSON: each run once",
             [(r["title"], r["direction"], r["ios"]) for r in reads(ours(out, "terse.txt"))],
             [(job["jobname"], d, part["total_ios"]) for job, d, part in want])
    fio_terse_judged()
    # the same numbers from the bins of json+
    out = run(*common[:-6], "--rw=randrw", "--output-format=json+")
    if out:
        doc = json.loads(out[out.index("{"):])
        for r in reads(ours(out, "json+.txt")):
            bins = doc["jobs"][0][r["direction"]]["clat_ns"]["bins"]
            n = sum(bins.values())
            near(f"json+ {r['direction']}: shares make a whole",
                 sum(b["share"] for b in r["buckets"]), 1, 0.0001)
            for b in r["buckets"]:
                below = sum(c for k, c in bins.items() if int(k) <= b["up_to_ns"])
                here = sum(x["share"] for x in r["buckets"] if x["up_to_ns"] <= b["up_to_ns"])
                near(f"json+ {r['direction']}: up to {b['up_to_ns']}", here, below / n, 0.0001)
    if run("fio", "--filename=file", "--size=4m", "--ioengine=psync", "--name=log", "--rw=randrw",
           "--bs=4k", "--write_lat_log=log", "--write_bw_log=log") is None:
        return skip("fio's logs")
    for kind in ("lat", "clat", "bw"):
        name = f"log_{kind}.1.log"
        with open(os.path.join(work, name), encoding="utf-8") as f:
            text = f.read()
        rows = [[int(w) for w in l.split(",")[:4]] for l in text.splitlines()]
        got = {r["direction"]: r for r in reads(ours(text, name))}
        for d, direction in enumerate(("read", "write")):
            v = sorted(row[1] for row in rows if row[2] == d)
            r = got.get(direction, {"ios": None})
            same(f"{name} {direction}: requests", r["ios"], len(v))
            if r["ios"] is None:
                continue
            factor = 1024 if kind == "bw" else 1
            at = r["sampled_bandwidth_bytes"] if kind == "bw" else \
                r["clat_ns"] if kind == "clat" else r["latency_ns"]
            same(f"{name} {direction}: least, most", (at["min"], at["max"]),
                 (v[0] * factor, v[-1] * factor))
            near(f"{name} {direction}: mean", at["mean"], sum(v) / len(v) * factor, factor)
            if kind == "bw":
                continue
            for key, value in r["latency_ns"]["percentile"].items():
                same(f"{name} {direction}: percentile {key}", value,
                     v[math.ceil(round(float(key) * 1000) * len(v) / 100000) - 1])
    same("a log without its name", reads(ours(text, "nameless.txt", True))
         if "drives" in ours(text, "nameless.txt", True) else [], [])


# ---- dd, ioping, hdparm, iostat ------------------------------------------------------------------

def dd():
    if not has("dd"):
        return skip("dd")
    for flags in (["bs=4k"], ["bs=1M"], ["bs=64k", "count=7"], ["bs=1000000"]):
        command = ["dd", "if=file", "of=/dev/null", *flags]
        out = run(*command)
        if out is None:
            return skip("dd on this file system")
        m = re.search(r"^(\d+) bytes .*copied, ([\d.e-]+) s, ([\d.]+) (\w?)B/s", out, re.M)
        full, part = map(int, re.match(r"(\d+)\+(\d+) records in", out).groups())
        r = reads(ours("$ " + " ".join(command) + "\n" + out, "dd.txt"))[0]
        same(f"dd {flags}: bytes", r["bytes"], int(m.group(1)))
        near(f"dd {flags}: bandwidth", r["bandwidth_bytes"], int(m.group(1)) / float(m.group(2)),
             1 + int(m.group(1)) / float(m.group(2)) / 1e6)
        near(f"dd {flags}: posted", r["posted_bandwidth_bytes"],
             float(m.group(3)) * {"": 1, "k": 1e3, "M": 1e6, "G": 1e9}[m.group(4)], 1)
        same(f"dd {flags}: requests", r["ios"], None if part else full)
        same(f"dd {flags}: may be from memory", (r["direct"], r["page_cache"]),
             (False, "may have answered"))
        r = reads(ours(out, "dd.txt"))[0]
        same(f"dd {flags} without its command", (r["direction"], r["direct"], r["page_cache"]),
             (None, None, "not known"))


NS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def ioping():
    if not has("ioping"):
        return skip("ioping")
    for flags in (["-c", "3", "-i", "0.1"], ["-R", "-w", "0.3"], ["-RL", "-w", "0.3"]):
        command = ["ioping", *flags, "."]
        out = run(*command)
        if out is None:
            return skip("ioping on this file system")
        m = re.search(r"min/avg/max/mdev = (.*)", out).group(1).split(" / ")
        r = reads(ours("$ " + " ".join(command) + "\n" + out, "ioping.txt"))[0]
        for key, text in zip(("min", "mean", "max", "stddev"), m):
            value, unit = text.split()
            near(f"ioping {flags}: {key}", r["latency_ns"][key], float(value) * NS[unit], 0.5)
        m = re.search(r"^([\d.]+)( [kM])? requests completed in ([\d.]+) (\w+)", out, re.M)
        same(f"ioping {flags}: requests", r["ios"], None if m.group(2) else int(m.group(1)))
        same(f"ioping {flags}: pattern", r["pattern"], "read" if "-RL" in flags else "randread")
        check(f"ioping {flags}: a rate only of a rate test",
              (r["iops"] is not None) == flags[0].startswith("-R"), r["iops"])
    raw = run("ioping", "-B", "-c", "4", "-i", "0.05", ".")
    v = list(map(int, raw.split()))
    r = reads(ours("$ ioping -B -c 4 .\n" + raw, "ioping.txt"))[0]
    same("ioping -B", (r["ios"], *(r["latency_ns"][k] for k in ("min", "mean", "max", "stddev"))),
         (v[0], *v[4:8]))
    text = run("ioping", "-J", "-c", "4", "-i", "0.05", ".")
    stat = [o["stat"] for o in json.loads(text) if "stat" in o][0]
    r = reads(ours(text, "ioping.txt"))[0]
    same("ioping -J", (r["ios"], *(r["latency_ns"][k] for k in ("min", "mean", "max", "stddev"))),
         tuple(stat[k] for k in ("count", "min", "avg", "max", "mdev")))


def hdparm_on_loop():
    """The device, or nothing, and what two timings of it print: they take a quarter of a minute."""
    with open(os.path.join(work, "disk"), "wb") as f:
        f.truncate(1 << 30)
    loop = (run("losetup", "--show", "-f", "-r", "disk") or "").strip() if has("losetup") else ""
    if not loop:
        return "", None, None
    out, direct = run("hdparm", "-tT", loop), run("hdparm", "-t", "--direct", loop)
    run("losetup", "-d", loop)
    return loop, out, direct


def hdparm_timing():
    loop, out, direct = hdparm_run.result()
    if out is None:
        return skip("hdparm -t on a loop device")
    doc = ours("# hdparm -tT " + loop + "\n" + out + (direct or ""), "hdparm.txt")
    rows = re.findall(r"Timing (.*?) reads: +(\d+) MB in +([\d.]+) seconds", out + (direct or ""))
    disk = [r for r in rows if "cached" not in r[0]]
    same("hdparm -t: runs", len(reads(doc)), len(disk))
    for r, (title, mib, seconds) in zip(reads(doc), disk):
        same(f"hdparm {title}", (r["bytes"], r["runtime_ms"], r["pattern"], r["direct"]),
             (int(mib) << 20, round(float(seconds) * 1000), "read",
              True if "O_DIRECT" in title else None))
    near("hdparm -T is memory", doc["drives"][0]["facts"]["memory_read_bytes_per_second"]["value"],
         (int(rows[0][1]) << 20) / float(rows[0][2]), 1)


def iostat():
    if not has("iostat"):
        return skip("iostat")
    texts = (["-x"], ["-xm"], ["-xs"], ["-xdk"], ["-xty"], [], ["-m"], ["-dk"], ["-ds"],
             ["-ty"], ["-d", "POSIXLY_CORRECT"])
    documents = (["-x"], [], ["-m"])
    # each of them takes its second, so all of them at once
    with concurrent.futures.ThreadPoolExecutor(len(texts) + len(documents)) as pool:
        runs = [pool.submit(run, "iostat", *flags[:1], "1", "2", **{name: "1" for name in flags[1:]})
                for flags in texts]
        runs += [pool.submit(run, "iostat", *flags, "-o", "JSON", "1", "2") for flags in documents]
        outputs = [r.result() for r in runs]
    for flags, out in zip(texts, outputs):
        want, head = [], None
        for line in out.splitlines():
            w = line.split()
            if w and w[0] in ("Device", "avg-cpu:"):
                head = w
            elif head and w:
                n = len(head) - 1
                want.append((w[0] if head[0] == "Device" else "processors", head[1:],
                             [float(x) for x in w[-n:]]))
                head = head if head[0] == "Device" else None
            elif not w:
                head = None
        tables = ours(out, "iostat.txt")["host"]["comparisons"]
        got = [(r["name"], t["columns"], r["values"]) for t in tables for r in t["rows"]]
        same(f"iostat {flags}", got, want)
        # the times since boot are marked as such
        titles = [t["title"] for t in tables if "processors" not in t["title"]]
        name = "iostat -x" if "x" in "".join(flags[:1]) else "iostat"
        same(f"iostat {flags}: titles", titles,
             [f"{name}, report 1 (since boot, unless -y)", f"{name}, report 2"])
    for flags, out in zip(documents, outputs[len(texts):]):
        want = [(d["disk_device"], [(k, v) for k, v in d.items() if k != "disk_device"])
                for s in json.loads(out)["sysstat"]["hosts"][0]["statistics"] for d in s["disk"]]
        tables = ours(out, "iostat.txt")["host"]["comparisons"]
        same(f"iostat {flags} JSON",
             [(r["name"], [(c.lstrip("%"), v) for c, v in zip(t["columns"], r["values"])])
              for t in tables for r in t["rows"]], want)
        same(f"iostat {flags} JSON: titles", [t["title"].split(",")[0] for t in tables],
             ["iostat -x" if flags == ["-x"] else "iostat"] * 2)


# ---- pages ---------------------------------------------------------------------------------------------

def load_pages():
    """The pages of a capture of ours, as files that fake-sata.so answers from."""
    items, current, last = {}, None, b""
    with open(os.path.join(captures, "testdisk-all-pages.cap"), encoding="utf-8") as f:
        for line in f:
            word = line.split()
            if line.startswith("item "):
                current = items.setdefault(word[1], bytearray()) if word[2] == "ok" else None
            elif current is not None and re.fullmatch(r"[0-9a-f]{4,}( [0-9a-f]{2})*", line.strip()):
                while len(current) < int(word[0], 16):
                    current += last
                if len(word) > 1:
                    last = bytes(int(w, 16) for w in word[1:])
                    current += last
    folder = os.path.join(work, "drive")
    os.makedirs(folder, exist_ok=True)
    for name, data in items.items():
        name = re.sub(r"^(ata/log/..)/00$", r"\1", name)
        with open(os.path.join(folder, name.replace("/", "-")), "wb") as f:
            f.write(data)
    return folder, {k: bytes(v) for k, v in items.items() if v}


DUMPS = (["xxd"], ["hexdump"], ["hexdump", "-C"], ["od", "-x"], ["od", "-t", "x1"],
         ["od", "-A", "x", "-t", "x1z"], ["od", "-A", "o", "-t", "x2"])


def pages():
    folder, items = load_pages()
    for name, data in items.items():
        if not re.match(r"ata/(log/|smart/data|smart/thr|identify|smart-log)", name) or \
                len(data) % 512:
            continue
        with open(os.path.join(work, "page"), "wb") as f:
            f.write(data)
        for tool in DUMPS:
            out = run(*tool, "page") if has(tool[0]) else None
            if out is None:
                skip(tool[0])
                continue
            got = capture(f"{name}\n{out}\n").get(name)
            # a "*" of od that stands for the whole page: 0001000 may be either base
            if got is None and tool[0] == "od" and len(set(data)) == 1:
                got = data
            same(f"{' '.join(tool)} of {name}", got, data)
    if not os.path.exists(fake):
        return skip("fake-sata.so")
    env = {"LD_PRELOAD": fake, "FAKE_SATA": folder}
    if has("hdparm"):
        out = run("hdparm", "--Istdout", "/dev/null", **env)
        same("hdparm --Istdout", capture(out or "").get("ata/identify"), items["ata/identify"])
        hdparm_identify(run("hdparm", "-I", "/dev/null", **env), items["ata/identify"])
    else:
        skip("hdparm")
    if not has("sg_sat_identify"):
        return skip("sg3_utils")
    for h in ((), ("-H",), ("-HH",), ("-HHH",)):
        out = run("sg_sat_identify", *h, "/dev/null", **env)
        same(f"sg_sat_identify {h}", capture(out or "").get("ata/identify"), items["ata/identify"])
        for log, page, count in ((0x11, 0, 1), (0x04, 0, 1), (0x04, 1, 2), (0x10, 0, 1)):
            whole = items[f"ata/log/{log:02x}/00"]
            want = whole[page * 512:(page + count) * 512]
            want += bytes(count * 512 - len(want))
            if h in (("-H",), ("-HHH",)):
                want = want[:512]  # it prints no more in these forms
            command = ["sg_sat_read_gplog", *h, "-L", hex(log), "-p", str(page), "-c", str(count),
                       "/dev/null"]
            out = run(*command, **env)
            same(" ".join(command), capture("# " + " ".join(command) + "\n" + (out or ""))
                 .get(f"ata/log/{log:02x}/{page:02x}"), want)
    counters = {}
    at, log = 4, items["ata/log/11/00"]
    while at < 508:
        kind, = struct.unpack_from("<H", log, at)
        size = 2 * (kind >> 12 & 7)
        if not kind & 0xfff:
            break
        counters[kind & 0x8fff] = int.from_bytes(log[at + 2:at + 2 + size], "little")
        at += 2 + size
    for h in ((), ("-i",)):
        out = run("sg_sat_phy_event", *h, "/dev/null", **env)
        phy = ours(out, "phy.txt")["drives"][0]["phy"]["counters"]
        same(f"sg_sat_phy_event {h}", {int(c["id"], 16) if isinstance(c["id"], str) else c["id"]:
                                       c["value"] for c in phy}, counters)


def hdparm_identify(out, page):
    word = struct.unpack("<256H", page)
    text = lambda a, n: b"".join(struct.pack(">H", w) for w in word[a:a + n]).decode().strip()
    who = ours(out, "hdparm-I.txt")["drives"][0]["identity"]
    same("hdparm -I", (who["model"], who["serial"], who["firmware"], who["wwn"],
                       who["capacity_bytes"], who["rotation_rpm"]),
         (text(27, 20), text(10, 10), text(23, 4), "".join(f"{w:04x}" for w in word[108:112]),
          int.from_bytes(page[200:206], "little") * 512, word[217]))


# ---- skdump ----------------------------------------------------------------------------------------------

def skdump():
    if not has("skdump") or not os.path.isdir(corpus):
        return skip("skdump, or the corpus,")
    for path in sorted(glob.glob(os.path.join(corpus, "skdump-blobs", "*"))):
        with open(path, "rb") as f:
            blob = f.read()
        part, at = {}, 0
        while at + 8 <= len(blob):
            tag, size = struct.unpack_from(">4sI", blob, at)
            part[tag], at = blob[at + 8:at + 8 + size], at + 8 + size
        out = run("skdump", "--load=" + path)
        if out is None or b"SMDT" not in part:
            skip("skdump of " + os.path.basename(path))
            continue
        data, want = part[b"SMDT"], {}
        for i in range(30):
            a = data[2 + 12 * i:14 + 12 * i]
            if a[0]:
                want[a[0]] = (a[3], a[4], int.from_bytes(a[5:11], "little"))
        doc = ours(out, "skdump.txt")["drives"][0]
        # a value that is none for libatasmart is n/a in its text
        got = {a["id"]: (a["value"], a["worst"], a["raw"]) for a in doc["attributes"]}
        odd = [i for i in want if i not in got or got[i][2] != want[i][2] or
               any(g is not None and g != w for g, w in zip(got[i], want[i]))]
        same(f"skdump of {os.path.basename(path)}", (sorted(got), odd), (sorted(want), []))


# ---- NVMe and SCSI: pages made here, as the tools print them -------------------------------------------

def facts(text, name):
    """The facts of all items of a text, each line of which must have been understood."""
    ours(text, name)
    p = subprocess.run([program, "capture", os.path.join(work, name)], capture_output=True)
    found = re.findall(r"^\| ([^=]+)=(-?\d+)(?: @\d+)?$", p.stdout.decode(), re.M)
    return {k: int(v) for k, v in found}


def nvme():
    library = fake.replace("fake-sata", "fake-nvme")
    if not has("nvme") or not os.path.exists(library):
        return skip("nvme-cli")
    folder = os.path.join(work, "nvme")
    os.makedirs(folder, exist_ok=True)
    controller, log = bytearray(4096), bytearray(512)
    struct.pack_into("<HH", controller, 0, 0x144d, 0x144d)
    controller[4:72] = b"TESTNVME00000001    " + b"TESTDISK NVMe 1TB".ljust(40) + b"FW7     "
    struct.pack_into("<HH", controller, 266, 358, 363)
    struct.pack_into("<QQ", controller, 280, 1000204886016, 0)
    log[0:6] = bytes([4, 311 & 255, 311 >> 8, 97, 10, 3])
    counts = (36417206, 40113101, 512103044, 600104210, 1845, 121, 5402, 38, 2, 221)
    for i, v in enumerate(counts):
        struct.pack_into("<Q", log, 32 + 16 * i, v)
    struct.pack_into("<IIHH", log, 192, 7, 1, 311, 320)
    struct.pack_into("<IIII", log, 216, 5, 1, 60, 9)
    for name, data in (("controller", controller), ("log-02", log)):
        with open(os.path.join(folder, name), "wb") as f:
            f.write(data)
    names = ("nvme_data_units_read", "nvme_data_units_written", "nvme_read_commands",
             "nvme_write_commands", "nvme_busy_minutes", "power_cycles", "power_on_hours",
             "nvme_unsafe_shutdowns", "nvme_media_errors", "nvme_error_log_entries")
    want = {**dict(zip(names, counts)), "nvme_critical_warning": 4, "temperature_celsius": 38,
            "nvme_spare_percent": 97, "nvme_spare_threshold_percent": 10, "life_used_percent": 3,
            "nvme_warning_temperature_minutes": 7, "nvme_critical_temperature_minutes": 1,
            "nvme_thermal_1_transitions": 5, "nvme_thermal_2_transitions": 1,
            "nvme_thermal_1_seconds": 60, "nvme_thermal_2_seconds": 9}
    env = {"LD_PRELOAD": library, "FAKE_NVME": folder}
    for flags in ([], ["-H"], ["-o", "json"]):
        out = run("nvme", "smart-log", *flags, "/dev/null", **env)
        if out is None:
            return skip("nvme-cli on a device of files")
        got = facts("$ nvme smart-log /dev/nvme0\n" + out, "nvme.txt")
        for key, value in want.items():
            same(f"nvme smart-log {flags}: {key}", got.get(key), value)
    for flags in ([], ["-o", "json"]):
        doc = ours("$ nvme id-ctrl /dev/nvme0\n" +
                   (run("nvme", "id-ctrl", *flags, "/dev/null", **env) or ""), "nvme.txt")
        who = doc["drives"][0]["identity"]
        same(f"nvme id-ctrl {flags}", (who["model"], who["serial"], who["firmware"],
                                       who["capacity_bytes"]),
             ("TESTDISK NVMe 1TB", "TESTNVME00000001", "FW7", 1000204886016))


def sg_logs():
    if not has("sg_logs"):
        return skip("sg_logs")

    def parameter(code, value, n=8):
        return struct.pack(">HBB", code, 3, n) + value.to_bytes(n, "big")

    def page(code, *parameters):
        body = b"".join(parameters)
        return struct.pack(">BBH", code, 0, len(body)) + body

    counts = ("corrected_fast", "corrected_delayed", "retries", "corrected",
              "correction_invocations", "bytes", "uncorrected")
    logs, want = {}, {}
    for code in (2, 3, 5):
        logs[code] = page(code, *(parameter(i, 1000 * code + i) for i in range(7)))
        want.update({f"scsi_errors[{code:02x}].{n}": 1000 * code + i
                     for i, n in enumerate(counts)})
    logs[6] = page(6, parameter(0, 12, 4))
    logs[0x0d] = page(0x0d, struct.pack(">HBBBB", 0, 3, 2, 0, 27),
                      struct.pack(">HBBBB", 1, 3, 2, 0, 60))
    logs[0x0e] = page(0x0e, parameter(3, 50000, 4), parameter(4, 52, 4),
                      parameter(5, 600000, 4), parameter(6, 2044, 4))
    want.update({"non_medium_errors": 12, "temperature_celsius": 27, "temperature_trip_celsius": 60,
                 "start_stop_cycles_rated": 50000, "start_stop_cycles": 52,
                 "load_cycles_rated": 600000, "load_cycles": 2044})
    text = "# sg_logs -a /dev/sdc\n"
    for code, data in logs.items():
        with open(os.path.join(work, "log"), "w", encoding="ascii") as f:
            f.write(" ".join(f"{b:02x}" for b in data) + "\n")
        text += run("sg_logs", "--in=log", "--pdt=0") or ""
    got = facts(text, "sg_logs.txt")
    for key, value in want.items():
        same(f"sg_logs: {key}", got.get(key), value)


def lsblk():
    """Whatever disks there are: table, pairs and JSON tell the same."""
    out = run("lsblk", "-b", "-J", "-o", "NAME,TYPE,MODEL,SERIAL,SIZE,ROTA,SCHED")
    if out is None:
        return skip("lsblk")
    disks = [d for d in json.loads(out)["blockdevices"] if d["type"] == "disk" and
             re.fullmatch(r"([shv]|xv)d[a-z]+|nvme\d+n\d+", d["name"])]
    want = sorted((d["name"], d["model"], d["serial"], int(d["size"])) for d in disks)
    if not want:
        return skip("a disk")
    for flags in (["-J"], ["-P"], []):
        text = run("lsblk", "-b", *flags, "-o", "NAME,TYPE,MODEL,SERIAL,SIZE,ROTA,SCHED")
        got = sorted((i["device"], i["model"], i["serial"], i["capacity_bytes"])
                     for i in (d["identity"] for d in ours(text, "lsblk.txt")["drives"]))
        same(f"lsblk {flags}", got, want)


# ---- files that are no text ----------------------------------------------------------------------------

def files():
    _, items = load_pages()
    path = os.path.join(work, "raw")
    for name in ("ata/identify", "ata/smart/data", "ata/smart/thresholds", "ata/log/11/00",
                 "ata/log/04/00"):
        data = items[name][:512]
        with open(path, "wb") as f:
            f.write(data)
        for option in ([], ["--page", name]):
            p = subprocess.run([program, "capture", *option, path], capture_output=True)
            good = f"item {name} ok".encode() in p.stdout
            if not option and name.startswith("ata/log/04"):
                check("a page that does not tell what it is", not good and
                      b"--page" in p.stderr and p.returncode == 65, p.stderr)
            else:
                check(f"raw {name} {option}", good, p.stderr)
    for name, start in (("gzip", b"\x1f\x8b\x08\0"), ("xz", b"\xfd7zXZ\0"), ("zip", b"PK\3\4"),
                        ("PDF", b"%PDF-1.4\n"), ("PNG", b"\x89PNG\r\n\x1a\n"),
                        ("tar", bytes(257) + b"ustar")):
        with open(path, "wb") as f:
            f.write(start + bytes(200))
        p = subprocess.run([program, path], capture_output=True)
        check(f"a {name} file says what to do", p.returncode == 65 and
              name.encode() in p.stderr and p.stderr.count(b"\n") == 1, p.stderr)


with open(os.path.join(work, "file"), "wb") as f:
    f.write(os.urandom(4 << 20))
background = concurrent.futures.ThreadPoolExecutor(1)
hdparm_run = background.submit(hdparm_on_loop)
for step in (fio, dd, ioping, iostat, pages, skdump, nvme, sg_logs, lsblk, files, hdparm_timing):
    step()
print(f"1..{tests}")
sys.exit(bad != 0)
