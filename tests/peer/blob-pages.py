# SPDX-License-Identifier: GPL-2.0-or-later
"""blob-pages.py BLOB FOLDER: the records of "skdump --save" as files for fake-sata.so."""
import os
import sys

NAMES = {b"IDFY": "ata-identify", b"SMDT": "ata-smart-data", b"SMTH": "ata-smart-thresholds"}


def main():
    with open(sys.argv[1], "rb") as f:
        blob = f.read()
    at = 0
    while at + 8 <= len(blob):
        tag, size = blob[at : at + 4], int.from_bytes(blob[at + 4 : at + 8], "big")
        body = blob[at + 8 : at + 8 + size]
        if tag == b"SMST":
            name, body = "ata-smart-status", b"\x4f\xc2" if any(body) else b"\xf4\x2c"
        else:
            name = NAMES[tag]
        with open(os.path.join(sys.argv[2], name), "wb") as f:
            f.write(body)
        at += 8 + size


main()
