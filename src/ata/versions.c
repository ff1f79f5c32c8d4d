/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ata/versions.h"

#include <stdio.h>

#include "base/attrs.h"
#include "base/str.h"

/* Word 80 has a bit for each standard that is followed; the highest one counts. */
static const char *const majors[] = {
	[1] = "ATA-1",	     [2] = "ATA-2",	  [3] = "ATA-3",
	[4] = "ATA/ATAPI-4", [5] = "ATA/ATAPI-5", [6] = "ATA/ATAPI-6",
	[7] = "ATA/ATAPI-7", [8] = "ATA8-ACS",	  [9] = "ACS-2",
	[10] = "ACS-3",	     [11] = "ACS-4",	  [12] = "ACS-5",
};

/* Minor version numbers (word 81): ACS-4 table 53 and its predecessors. */
/* clang-format off */
static const struct {
	uint16_t code;
	const char *name;
} minors[] = {
	{ 0x0001, "ATA-1 X3T9.2/781D prior to revision 4" },
	{ 0x0002, "ATA-1 published, ANSI X3.221-1994" },
	{ 0x0003, "ATA-1 X3T9.2/781D revision 4" },
	{ 0x0004, "ATA-2 published, ANSI X3.279-1996" },
	{ 0x0005, "ATA-2 X3T10/948D prior to revision 2k" },
	{ 0x0006, "ATA-3 X3T10/2008D revision 1" },
	{ 0x0007, "ATA-2 X3T10/948D revision 2k" },
	{ 0x0008, "ATA-3 X3T10/2008D revision 0" },
	{ 0x0009, "ATA-2 X3T10/948D revision 3" },
	{ 0x000a, "ATA-3 published, ANSI X3.298-1997" },
	{ 0x000b, "ATA-3 X3T10/2008D revision 6" },
	{ 0x000c, "ATA-3 X3T13/2008D revision 7 and 7a" },
	{ 0x000d, "ATA/ATAPI-4 X3T13/1153D revision 6" },
	{ 0x000e, "ATA/ATAPI-4 T13/1153D revision 13" },
	{ 0x000f, "ATA/ATAPI-4 X3T13/1153D revision 7" },
	{ 0x0010, "ATA/ATAPI-4 T13/1153D revision 18" },
	{ 0x0011, "ATA/ATAPI-4 T13/1153D revision 15" },
	{ 0x0012, "ATA/ATAPI-4 published, ANSI NCITS 317-1998" },
	{ 0x0013, "ATA/ATAPI-5 T13/1321D revision 3" },
	{ 0x0014, "ATA/ATAPI-4 T13/1153D revision 14" },
	{ 0x0015, "ATA/ATAPI-5 T13/1321D revision 1" },
	{ 0x0016, "ATA/ATAPI-5 published, ANSI NCITS 340-2000" },
	{ 0x0017, "ATA/ATAPI-4 T13/1153D revision 17" },
	{ 0x0018, "ATA/ATAPI-6 T13/1410D revision 0" },
	{ 0x0019, "ATA/ATAPI-6 T13/1410D revision 3a" },
	{ 0x001a, "ATA/ATAPI-7 T13/1532D revision 1" },
	{ 0x001b, "ATA/ATAPI-6 T13/1410D revision 2" },
	{ 0x001c, "ATA/ATAPI-6 T13/1410D revision 1" },
	{ 0x001d, "ATA/ATAPI-7 published, ANSI INCITS 397-2005" },
	{ 0x001e, "ATA/ATAPI-7 T13/1532D revision 0" },
	{ 0x001f, "ACS-3 T13/2161-D revision 3b" },
	{ 0x0021, "ATA/ATAPI-7 T13/1532D revision 4a" },
	{ 0x0022, "ATA/ATAPI-6 published, ANSI INCITS 361-2002" },
	{ 0x0027, "ATA8-ACS T13/1699-D revision 3c" },
	{ 0x0028, "ATA8-ACS T13/1699-D revision 6" },
	{ 0x0029, "ATA8-ACS T13/1699-D revision 4" },
	{ 0x0031, "ACS-2 T13/2015-D revision 2" },
	{ 0x0033, "ATA8-ACS T13/1699-D revision 3e" },
	{ 0x0039, "ATA8-ACS T13/1699-D revision 4c" },
	{ 0x0042, "ATA8-ACS T13/1699-D revision 3f" },
	{ 0x0052, "ATA8-ACS T13/1699-D revision 3b" },
	{ 0x005e, "ACS-4 T13/BSR INCITS 529 revision 5" },
	{ 0x006d, "ACS-3 T13/2161-D revision 5" },
	{ 0x0082, "ACS-2 published, ANSI INCITS 482-2012" },
	{ 0x009c, "ACS-4 published, ANSI INCITS 529-2018" },
	{ 0x0107, "ATA8-ACS T13/1699-D revision 2d" },
	{ 0x010a, "ACS-3 published, ANSI INCITS 522-2014" },
	{ 0x0110, "ACS-2 T13/2015-D revision 3" },
	{ 0x011b, "ACS-3 T13/2161-D revision 4" },
};
/* clang-format on */

static const char *const sata[] = {
	"ATA8-AST", "SATA 1.0a", "SATA II Ext", "SATA 2.5", "SATA 2.6", "SATA 3.0",
	"SATA 3.1", "SATA 3.2",	 "SATA 3.3",	"SATA 3.4", "SATA 3.5",
};

static unsigned highest_bit(uint16_t w)
{
	unsigned bit = 0;

	while (w >>= 1)
		bit++;
	return bit;
}

static bool is_reported(uint16_t w)
{
	return w != 0x0000 && w != 0xffff;
}

static const char *minor_name(uint16_t code)
{
	for (size_t i = 0; i < array_size(minors); i++)
		if (minors[i].code == code)
			return minors[i].name;
	return NULL;
}

/* The minor version names its standard itself; when that is not the major one, both are told. */
bool ata_version_text(uint16_t major, uint16_t minor, char *ret, size_t size)
{
	unsigned bit = is_reported(major) ? highest_bit(major) : 0;
	const char *name = bit < array_size(majors) ? majors[bit] : NULL;
	const char *exact = minor_name(minor);
	char unknown[24];

	if (!is_reported(major) && !is_reported(minor))
		return false;
	(void)snprintf(unknown, sizeof(unknown), "Unknown(0x%04x)", major);
	if (name && exact && str_starts(exact, name))
		(void)snprintf(ret, size, "%s", exact);
	else if (exact)
		(void)snprintf(ret, size, "%s, %s", name ? name : unknown, exact);
	else if (is_reported(minor))
		(void)snprintf(ret, size, "%s (unknown minor revision code: 0x%04x)",
			       name ? name : unknown, minor);
	else
		(void)snprintf(ret, size, "%s (minor revision not indicated)",
			       name ? name : unknown);
	return true;
}

bool sata_version_text(uint16_t bits, char *ret, size_t size)
{
	unsigned bit = highest_bit(bits);

	if (!bits)
		return false;
	if (bit < array_size(sata))
		(void)snprintf(ret, size, "%s", sata[bit]);
	else
		(void)snprintf(ret, size, "SATA >3.5 (%u)", bit);
	return true;
}
