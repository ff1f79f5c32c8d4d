/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which line begins which section. The first row that fits counts. */
#include "import/smartctl.h"

/* clang-format off */
const struct smart_heading smart_headings[] = {
	{ "SMART overall-health self-assessment test result:", &smart_health, smart_health_line },
	{ "SMART Health Status:",                   &smart_health,      smart_health_line },

	{ "General SMART Values:",                  &smart_general,     NULL },

	{ "SMART Attributes Data Structure revision number:", &smart_attributes, smart_attribute_revision },
	{ "Vendor Specific SMART Attributes with Thresholds:", &smart_attributes, NULL },
	{ "ID# ATTRIBUTE_NAME",                     &smart_attributes,  NULL },

	{ "General Purpose Log Directory",          &smart_directory,   NULL },
	{ "General Purpose Logging (GPL) feature set supported", &smart_directory, NULL },
	{ "SMART Log Directory",                    &smart_directory,   NULL },
	{ "Log Directory Supported",                &smart_directory,   NULL },
	{ "Read GP Log Directory failed",           &smart_directory,   NULL },
	{ "Read SMART Log Directory failed",        &smart_directory,   NULL },
	{ "Log Directories not read due to",        &smart_directory,   NULL },

	{ "SMART Extended Comprehensive Error Log", &smart_errors_ext,  smart_error_log },
	{ "Read SMART Extended Comprehensive Error Log failed", &smart_errors_ext, NULL },
	{ "Read SMART Error Log failed",            &smart_errors,      NULL },
	{ "SMART Error Log",                        &smart_errors,      smart_error_log },

	{ "SMART Extended Self-test Log",           &smart_tests_ext,   smart_test_log },
	{ "Read SMART Extended Self-test Log failed", &smart_tests_ext, NULL },
	{ "Read SMART Self-test Log failed",        &smart_tests,       NULL },
	{ "SMART Self-test log",                    &smart_tests,       smart_test_log },
	{ "SMART Self-test Log",                    &smart_tests,       smart_test_log },

	{ "SMART Selective self-test log",          &smart_selective,   NULL },
	{ "SMART Selective Self-test Log",          &smart_selective,   NULL },
	{ "Read SMART Selective Self-test Log failed", &smart_selective, NULL },
	{ "Selective Self-tests/Logging not supported", &smart_selective, NULL },
	{ "Device does not support Selective Self Tests/Logging", &smart_selective, NULL },

	{ "SCT Status Version:",                    &smart_sct,         smart_sct_status },
	{ "SCT Commands not supported",             &smart_sct,         NULL },
	{ "Warning: device does not support SCT Commands", &smart_sct,  NULL },
	{ "SCT Data Table command not supported",   &smart_sct,         NULL },
	{ "Read SCT Status failed",                 &smart_sct,         NULL },
	{ "Read SCT Temperature History failed",    &smart_sct_history, NULL },
	{ "SCT Temperature History Version:",       &smart_sct_history, smart_sct_history_head },
	{ "SCT Error Recovery Control set to",      &smart_sct_erc,     NULL },
	{ "SCT Error Recovery Control:",            &smart_sct_erc,     NULL },
	{ "SCT Error Recovery Control (",           &smart_sct_erc,     NULL },
	{ "SCT Error Recovery Control command",     &smart_sct_erc,     NULL },
	{ "SCT (Get) Error Recovery Control command", &smart_sct_erc,   NULL },
	{ "Write SCT (Get) Error Recovery Control Command failed", &smart_sct_erc, NULL },
	{ "Warning: device does not support SCT Error Recovery Control", &smart_sct_erc, NULL },

	{ "Device Statistics (",                    &smart_statistics,  NULL },
	{ "Read Device Statistics page",            &smart_statistics,  NULL },
	{ "Device Statistics page 0x00 is invalid", &smart_statistics,  NULL },

	{ "Pending Defects log (",                  &smart_defects,     NULL },
	{ "Read Pending Defects log page",          &smart_defects,     NULL },

	{ "SATA Phy Event Counters (",              &smart_phy,         NULL },
	{ "SATA Phy Event Counters not supported",  &smart_phy,         NULL },
	{ "SATA Phy Event Counters with ",          &smart_phy,         NULL },
	{ "Read SATA Phy Event Counters failed",    &smart_phy,         NULL },

	{ "Seagate Field Access",                   &smart_farm,        NULL },
	{ "FARM log (GP Log 0xa6) not supported",   &smart_farm,        NULL },
	{ "Read FARM log (GP Log 0xa6) failed",     &smart_farm,        NULL },
	{ "FARM Log Page 0:",                       &smart_farm,        NULL },

	{ NULL, NULL, NULL },
};
/* clang-format on */
