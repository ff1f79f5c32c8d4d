/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/event.h"

#include <stdlib.h>

#include "base/attrs.h"
#include "base/calendar.h"

#define FACT_KLOG_NONE FACT_COUNT

static const struct {
	const char *name, *words;
	enum event_kind kind;
	int counter;
} classes[EVENT_COUNT] = {
#define EVENT(id, name_, kind_, counter_, words_)                                        \
	[EVENT_##id] = { .name = name_,                                                  \
			 .words = words_,                                                \
			 .kind = EVENT_KIND_##kind_,                                     \
			 .counter = (int)FACT_KLOG_##counter_ },
#include "model/event.def"
#undef EVENT
};

const char *event_class_name(enum event_class c)
{
	return classes[c].name;
}

const char *event_class_words(enum event_class c)
{
	return classes[c].words;
}

enum event_kind event_class_kind(enum event_class c)
{
	return classes[c].kind;
}

enum fact_id event_class_counter(enum event_class c)
{
	return (enum fact_id)classes[c].counter;
}

const char *event_kind_name(enum event_kind k)
{
	static const char *const names[] = {
		[EVENT_KIND_FAULT] = "fault",
		[EVENT_KIND_RECOVERY] = "recovery",
		[EVENT_KIND_POWER] = "power",
		[EVENT_KIND_INFO] = "info",
	};

	return names[k];
}

void event_add_place(struct buf *b, const struct event *e)
{
	if (e->ata_port && e->ata_device >= 0)
		buf_printf(b, "ata%u.%02d", e->ata_port, e->ata_device);
	else if (e->ata_port)
		buf_printf(b, "ata%u", e->ata_port);
	else if (e->device)
		buf_puts(b, e->device);
	else if (e->has & EVENT_HAS_SCSI)
		buf_printf(b, "%u:%u:%u:%u", e->scsi[0], e->scsi[1], e->scsi[2],
			   e->scsi[3]);
}

#define DAY_S 86400

void event_add_time(struct buf *b, const struct event_time *t)
{
	int64_t s, days;
	struct calendar_date d;

	if (t->has_wall) {
		s = t->wall_us / 1000000 - (t->wall_us % 1000000 < 0);
		days = s / DAY_S - (s % DAY_S < 0);
		s -= days * DAY_S;
		d = calendar_date_of(days);
		if (t->wall_has_year)
			buf_printf(b, "%lld-", (long long)d.year);
		buf_printf(b, "%02u-%02u %02d:%02d:%02d", d.month, d.day, (int)(s / 3600),
			   (int)(s / 60 % 60), (int)(s % 60));
	} else if (t->has_monotonic) {
		buf_printf(b, "%lld.%06lld s", (long long)(t->monotonic_us / 1000000),
			   llabs((long long)(t->monotonic_us % 1000000)));
	}
}

void event_add_serr(struct buf *b, uint32_t serr)
{
	/* drivers/ata/libata-eh.c prints these names */
	static const struct {
		uint32_t bit;
		const char *name;
	} bits[] = {
		{ SERR_RECOV_DATA, "RecovData" },
		{ SERR_RECOV_COMM, "RecovComm" },
		{ SERR_UNRECOV_DATA, "UnrecovData" },
		{ SERR_PERSIST, "Persist" },
		{ SERR_PROTO, "Proto" },
		{ SERR_HOST_INT, "HostInt" },
		{ SERR_PHY_RDY_CHG, "PHYRdyChg" },
		{ SERR_PHY_INT, "PHYInt" },
		{ SERR_COMM_WAKE, "CommWake" },
		{ SERR_10B8B, "10B8B" },
		{ SERR_DISPAR, "Dispar" },
		{ SERR_BAD_CRC, "BadCRC" },
		{ SERR_HANDSHK, "Handshk" },
		{ SERR_LINK_SEQ, "LinkSeq" },
		{ SERR_TR_STA_TRNS, "TrStaTrns" },
		{ SERR_UNREC_FIS, "UnrecFIS" },
		{ SERR_DEV_EXCH, "DevExch" },
	};
	const char *gap = "";

	for (size_t i = 0; i < array_size(bits); i++) {
		if (!(serr & bits[i].bit))
			continue;
		buf_printf(b, "%s%s", gap, bits[i].name);
		gap = " ";
	}
}

bool event_time_between(const struct event_time *a, const struct event_time *b,
			int64_t *ret_us)
{
	if (a->has_monotonic && b->has_monotonic)
		*ret_us = b->monotonic_us - a->monotonic_us;
	else if (a->has_wall && b->has_wall && a->wall_has_year == b->wall_has_year)
		*ret_us = b->wall_us - a->wall_us;
	else
		return false;
	return true;
}
