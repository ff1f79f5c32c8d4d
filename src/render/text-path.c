/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a drive that is on no SATA port hangs on the host, and how fast that is. */
#include "base/str.h"
#include "render/text.h"
#include "render/units.h"

static void add_lanes(struct sheet *s, const char *before, const struct drive *d,
		      enum fact_id width, enum fact_id speed)
{
	uint64_t lanes;
	const char *text = drive_text(d, speed, 0, 0);

	if (!drive_u64(d, width, 0, 0, &lanes))
		return;
	sheet_raw(s, STYLE_PLAIN, "%s%llu%s", before, (unsigned long long)lanes,
		  lanes == 1 ? " lane" : " lanes");
	if (text) {
		sheet_raw(s, STYLE_PLAIN, " at ");
		sheet_text(s, STYLE_PLAIN, text);
	}
}

static void add_rate(struct sheet *s, const char *before, const struct drive *d,
		     enum fact_id id)
{
	struct buf b cleanup_buf = { 0 };
	uint64_t mbps;

	if (!drive_u64(d, id, 0, 0, &mbps))
		return;
	units_add_mbps(&b, mbps);
	sheet_raw(s, STYLE_PLAIN, "%s%s", before, buf_text(&b));
	sheet_check(s, &b);
}

static void write_nvme(struct sheet *s, const struct drive *d)
{
	sheet_raw(s, STYLE_PLAIN, "PCIe");
	add_lanes(s, ": runs with ", d, FACT_PCIE_WIDTH, FACT_PCIE_SPEED);
	add_lanes(s, "; drive can do ", d, FACT_PCIE_WIDTH_MAX, FACT_PCIE_SPEED_MAX);
	add_lanes(s, "; slot can do ", d, FACT_PCIE_PORT_WIDTH_MAX,
		  FACT_PCIE_PORT_SPEED_MAX);
}

static void write_sas(struct sheet *s, const struct drive *d)
{
	sheet_raw(s, STYLE_PLAIN, "SAS");
	add_rate(s, ": runs at ", d, FACT_SAS_RATE);
	add_rate(s, "; phy can do ", d, FACT_SAS_RATE_MAX);
	add_lanes(s, "; adapter: ", d, FACT_PCIE_WIDTH, FACT_PCIE_SPEED);
}

static void write_raid(struct sheet *s, const struct drive *d)
{
	sheet_raw(s, STYLE_PLAIN, "a volume of a RAID controller: not a drive");
	add_lanes(s, "; controller: ", d, FACT_PCIE_WIDTH, FACT_PCIE_SPEED);
}

static void write_virtio(struct sheet *s, const struct drive *d)
{
	(void)d;
	sheet_raw(s, STYLE_PLAIN, "a disk of a virtual machine");
}

static const struct {
	const char *bus;
	void (*write)(struct sheet *s, const struct drive *d);
} paths[] = {
	{ "nvme", write_nvme },
	{ "sas", write_sas },
	{ "raid", write_raid },
	{ "virtio", write_virtio },
};

void text_path(struct sheet *s, const struct drive *d)
{
	const char *bus = drive_text(d, FACT_BUS, 0, 0);
	const char *driver = drive_text(d, FACT_DRIVER, 0, 0);

	for (size_t i = 0; bus && i < array_size(paths); i++) {
		if (!str_equal(paths[i].bus, bus))
			continue;
		sheet_label(s, "Path");
		paths[i].write(s, d);
		if (driver) {
			sheet_raw(s, STYLE_PLAIN, " (driver ");
			sheet_text(s, STYLE_PLAIN, driver);
			sheet_raw(s, STYLE_PLAIN, ")");
		}
		sheet_end(s);
	}
}
