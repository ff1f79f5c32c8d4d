/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "judge/rules.h"

#include <string.h>

#include "base/str.h"
#include "judge/kernel.h"

static bool host_is_its(const struct judge *j)
{
	return j->the_case->n_drives == 1 && j->d != &j->the_case->host;
}

const struct fact *rules_fact(const struct judge *j, enum fact_id id)
{
	const struct fact *f = drive_fact(j->d, id, 0, 0);

	return f || !host_is_its(j) ? f : drive_fact(&j->the_case->host, id, 0, 0);
}

const char *rules_text(const struct judge *j, enum fact_id id)
{
	const struct fact *f = rules_fact(j, id);

	return f ? f->text : NULL;
}

uint64_t rules_number(const struct judge *j, enum fact_id id)
{
	const struct fact *f = rules_fact(j, id);

	return f ? f->u : 0;
}

bool rules_rise(const struct judge *j, enum fact_id id, int64_t *ret)
{
	if (drive_delta(j->d, id, 0, 0, ret))
		return true;
	return host_is_its(j) && drive_delta(&j->the_case->host, id, 0, 0, ret);
}

bool rules_is_usb(const struct judge *j)
{
	const char *bus = rules_text(j, FACT_BUS), *driver = rules_text(j, FACT_DRIVER);

	return str_equal(bus, "usb") || str_equal(driver, "uas") ||
	       str_equal(driver, "usb-storage") || rules_text(j, FACT_USB_ID);
}

bool rules_is_nvme(const struct judge *j)
{
	const char *device = drive_text(j->d, FACT_DEVICE, 0, 0);

	return str_equal(rules_text(j, FACT_BUS), "nvme") ||
	       (device && strstr(device, "nvme"));
}

bool rules_is_without_sas(const struct judge *j)
{
	const char *transport = rules_text(j, FACT_SCSI_TRANSPORT);

	return transport && !str_starts(transport, "SAS");
}

bool rules_is_member(const struct judge *j)
{
	const char *holders = rules_text(j, FACT_HOLDERS);

	return drive_flag(j->d, FACT_ARRAY_MEMBER, 0) ||
	       (holders && strstr(holders, "md")) || rules_number(j, FACT_KLOG_ARRAY);
}

bool rules_has_media_trouble(const struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	bool flickers = drive_flag(j->d, FACT_DB_PENDING_FLICKERS, 0);

	return k.n[KERNEL_MEDIA] || (!flickers && rules_number(j, FACT_PENDING)) ||
	       rules_number(j, FACT_OFFLINE_UNCORR) ||
	       rules_found(j, CODE_M01, SEVERITY_NOTE);
}

bool rules_is_ati(const struct judge *j)
{
	static const char *const names[] = { "AMD",    "ATI ",	 "Advanced Micro Devices",
					     "[1002:", "[1022:", NULL };
	const char *name = rules_text(j, FACT_CONTROLLER_NAME);
	const char *id = rules_text(j, FACT_CONTROLLER_ID);

	for (const char *const *n = names; name && *n; n++)
		if (strstr(name, *n))
			return true;
	return id && (str_starts(id, "1002:") || str_starts(id, "1022:"));
}

bool rules_has_option(const struct judge *j, const char *option)
{
	const char *options = drive_text(&j->the_case->host, FACT_BOOT_OPTIONS, 0, 0);

	return options && strstr(options, option);
}

bool rules_found(const struct judge *j, enum code code, enum severity least)
{
	for (size_t i = 0; i < j->r->n_findings; i++)
		if (j->r->findings[i].code == code && !j->r->findings[i].runner_up &&
		    j->r->findings[i].severity >= least)
			return true;
	return false;
}
