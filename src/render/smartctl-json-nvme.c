/* SPDX-License-Identifier: GPL-2.0-or-later */
/* NVMe: the controller, its namespaces, and its health log (NVMe base specification 1.4, 5.14.1.2). */
#include "base/str.h"
#include "render/smartctl-json.h"

static bool is_nvme(const struct sc *s)
{
	return str_equal(drive_text(s->d, FACT_BUS, 0, 0), "nvme");
}

static void put_controller(struct sc *s)
{
	static const struct sc_key vendor[] = { { "id", FACT_NVME_PCI_VENDOR },
						{ "subsystem_id",
						  FACT_NVME_PCI_SUBSYSTEM } };
	static const struct sc_key keys[] = {
		{ "nvme_ieee_oui_identifier", FACT_NVME_OUI },
		{ "nvme_total_capacity", FACT_NVME_TOTAL },
		{ "nvme_unallocated_capacity", FACT_NVME_UNALLOCATED },
		{ "nvme_controller_id", FACT_NVME_CONTROLLER },
		{ "nvme_number_of_namespaces", FACT_NVME_NAMESPACES },
	};

	if (drive_fact(s->d, FACT_NVME_PCI_VENDOR, 0, 0))
		sc_put_keys(s, sc_object(s, s->top, "nvme_pci_vendor"), vendor,
			    array_size(vendor));
	sc_put_keys(s, s->top, keys, array_size(keys));
	if (drive_fact(s->d, FACT_NVME_VERSION, 0, 0))
		sc_put(s, sc_object(s, s->top, "nvme_version"), "string",
		       FACT_NVME_VERSION, 0, 0);
}

static void put_size(struct sc *s, struct json_object *in, const char *key,
		     enum fact_id id, uint32_t ns, uint64_t block)
{
	struct json_object *o;
	uint64_t bytes;

	if (!drive_u64(s->d, id, ns, 0, &bytes) || !block)
		return;
	o = sc_object(s, in, key);
	json_put_u64(s->w, o, "blocks", bytes / block);
	json_put_u64(s->w, o, "bytes", bytes);
}

static void put_namespaces(struct sc *s)
{
	size_t n;
	const struct fact *rows = drive_facts(s->d, FACT_NVME_NS_SIZE, &n);
	struct json_object *array = n ? sc_array(s, s->top, "nvme_namespaces") : NULL;

	for (size_t i = 0; i < n; i++) {
		uint32_t ns = rows[i].key.i;
		struct json_object *o;
		uint64_t block = 0;

		if (i && ns == rows[i - 1].key.i)
			continue;
		(void)drive_u64(s->d, FACT_NVME_NS_LBA, ns, 0, &block);
		o = json_new_object(s->w);
		json_put_u64(s->w, o, "id", ns);
		put_size(s, o, "size", FACT_NVME_NS_SIZE, ns, block);
		put_size(s, o, "capacity", FACT_NVME_NS_CAPACITY, ns, block);
		put_size(s, o, "utilization", FACT_NVME_NS_USED, ns, block);
		sc_put(s, o, "formatted_lba_size", FACT_NVME_NS_LBA, ns, 0);
		json_append(s->w, array, o);
	}
}

static void put_health(struct sc *s)
{
	static const struct sc_key keys[] = {
		{ "critical_warning", FACT_NVME_WARNING },
		{ "temperature", FACT_TEMPERATURE },
		{ "available_spare", FACT_NVME_SPARE },
		{ "available_spare_threshold", FACT_NVME_SPARE_LIMIT },
		{ "percentage_used", FACT_LIFE_USED },
		{ "data_units_read", FACT_NVME_UNITS_READ },
		{ "data_units_written", FACT_NVME_UNITS_WRITTEN },
		{ "host_reads", FACT_NVME_READS },
		{ "host_writes", FACT_NVME_WRITES },
		{ "controller_busy_time", FACT_NVME_BUSY },
		{ "power_cycles", FACT_POWER_CYCLES },
		{ "power_on_hours", FACT_POWER_ON_HOURS },
		{ "unsafe_shutdowns", FACT_NVME_UNSAFE },
		{ "media_errors", FACT_NVME_MEDIA_ERRORS },
		{ "num_err_log_entries", FACT_NVME_ERROR_ENTRIES },
		{ "warning_temp_time", FACT_NVME_WARM_MINUTES },
		{ "critical_comp_time", FACT_NVME_HOT_MINUTES },
	};
	struct json_object *o;
	size_t n;

	(void)drive_facts(s->d, FACT_NVME_WARNING, &n);
	if (!n)
		return;
	o = sc_object(s, s->top, "nvme_smart_health_information_log");
	sc_put_keys(s, o, keys, array_size(keys));
}

void sc_nvme(struct sc *s)
{
	if (!is_nvme(s))
		return;
	put_controller(s);
	put_namespaces(s);
	put_health(s);
}
