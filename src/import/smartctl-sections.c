/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which line begins which section. Longer headings stand before shorter ones of the same start. */
#include "import/smartctl.h"

/* clang-format off */
const struct smart_heading smart_headings[] = {
	{ "SMART overall-health self-assessment test result:", &smart_health, smart_health_line },

	{ "SMART Attributes Data Structure revision number:", &smart_attributes, smart_attribute_revision },
	{ "Vendor Specific SMART Attributes with Thresholds:", &smart_attributes, NULL },
	{ "ID# ATTRIBUTE_NAME",                     &smart_attributes, NULL },

	{ "SATA Phy Event Counters not supported",  &smart_phy, smart_absent },
	{ "SATA Phy Event Counters with ",          &smart_phy, smart_absent },
	{ "SATA Phy Event Counters (GP Log 0x11) not supported", &smart_phy, smart_absent },
	{ "Read SATA Phy Event Counters failed",    &smart_phy, smart_absent },
	{ "SATA Phy Event Counters",                &smart_phy, NULL },

	{ NULL, NULL, NULL },
};
/* clang-format on */
