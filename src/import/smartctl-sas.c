/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SAS phys: the Protocol Specific Port log page (SPL, page 18h), one line a field. */
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

/* Every field belongs to a port and a phy named above it; without them nobody knows whose it is. */
static bool has_place(const struct smart *s)
{
	return s->has_sas_port && s->has_sas_phy;
}

/* "relative target port id = 1" */
static bool read_port(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	uint64_t n;

	(void)id;
	s->has_sas_port = s->has_sas_phy = false;
	if (!smart_get_count(s, v, "", &n) || n > UINT16_MAX)
		return false;
	s->sas_port = (uint32_t)n;
	s->has_sas_port = true;
	return true;
}

/* A phy that stands there a second time is another reading of it: not taken over the first. */
static bool read_phy(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	uint64_t n;

	(void)id;
	s->has_sas_phy = false;
	if (!smart_get_count(s, v, "", &n) || n > UINT8_MAX)
		return false;
	s->sas_phy = (uint32_t)n;
	s->has_sas_phy =
		s->has_sas_port &&
		smart_bit(s->phy_seen, (s->sas_port << 8 | s->sas_phy) & UINT16_MAX);
	return s->has_sas_phy;
}

static bool read_text(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	if (v->cut || !has_place(s))
		return false;
	emit_text(&s->e, id, s->sas_port, s->sas_phy, v->s, v->line);
	return true;
}

static bool read_address(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	if (v->cut || !has_place(s))
		return false;
	if (str_starts(v->s, "0x") && !strchr(v->s, '.'))
		emit_text(&s->e, id, s->sas_port, s->sas_phy, v->s + 2, v->line);
	return true;
}

static bool read_count(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	uint64_t n;

	if (!has_place(s) || !smart_get_count(s, v, "", &n))
		return false;
	emit_u64(&s->e, id, s->sas_port, s->sas_phy, n, v->line);
	return true;
}

/* "phy enabled; 12 Gbps", "phy enabled; 1.5 Gbps", "phy enabled; unknown" */
static bool read_rate(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	const char *p = words_after(v->s, "phy enabled; ");
	uint64_t whole, tenth = 0;

	if (!read_text(s, v, id))
		return false;
	if (!p || str_take_u64(&p, 10, &whole) < 0)
		return true;
	if ((*p == '.' || *p == ',') &&
	    (p++, str_take_u64(&p, 10, &tenth) < 0 || tenth > 9))
		return false;
	if (words_after(p, " Gbps") && whole < 1000)
		emit_u64(&s->e, FACT_SAS_PORT_RATE, s->sas_port, s->sas_phy,
			 whole * 1000 + tenth * 100, v->line);
	return true;
}

/* clang-format off */
static const struct smart_key keys[] = {
	{ "relative target port id =",		FACT_COUNT,		read_port,	true },
	{ "phy identifier =",			FACT_COUNT,		read_phy,	true },
	{ "generation code =",			FACT_COUNT,		smart_read_nothing, true },
	{ "number of phys =",			FACT_COUNT,		smart_read_nothing, true },
	{ "attached device type:",		FACT_SAS_ATTACHED,	read_text,	true },
	{ "attached reason:",			FACT_SAS_ATTACH_REASON,	read_text,	true },
	{ "reason:",				FACT_SAS_REASON,	read_text,	false },
	{ "negotiated logical link rate:",	FACT_SAS_STATE,		read_rate,	true },
	{ "negotiated physical link rate:",	FACT_COUNT,		smart_read_nothing, true },
	{ "attached initiator port:",		FACT_SAS_INITIATORS,	read_text,	true },
	{ "attached target port:",		FACT_SAS_TARGETS,	read_text,	true },
	{ "SAS address =",			FACT_SAS_ADDRESS,	read_address,	true },
	{ "attached SAS address =",		FACT_SAS_PEER_ADDRESS,	read_address,	true },
	{ "attached phy identifier =",		FACT_SAS_PEER_PHY,	read_count,	true },
	{ "Invalid DWORD count =",		FACT_SAS_PORT_INVALID_DWORDS, read_count,	true },
	{ "Running disparity error count =",	FACT_SAS_PORT_DISPARITY,	read_count,	true },
	{ "Loss of DWORD synchronization count =", FACT_SAS_PORT_LOSS_OF_SYNC, read_count,	true },
	{ "Loss of DWORD synchronization =",	FACT_SAS_PORT_LOSS_OF_SYNC,	read_count,	true },
	{ "Phy reset problem count =",		FACT_SAS_PORT_RESET_PROBLEMS, read_count,	true },
	{ "Phy reset problem =",		FACT_SAS_PORT_RESET_PROBLEMS, read_count,	true },
	{ "Phy event descriptors:",		FACT_COUNT,		smart_read_nothing, true },
	{ NULL, FACT_COUNT, NULL, false },
};

/* SPL phy event source codes. 1 to 4 repeat the counters above them, under a slightly other name. */
static const struct {
	const char *name;
	uint32_t code;
} events[] = {
	{ "No event", 0x00 },
	{ "Invalid dword count:", 0x01 },
	{ "Invalid word count:", 0x01 },
	{ "Running disparity error count:", 0x02 },
	{ "Loss of dword synchronization count:", 0x03 },
	{ "Phy reset problem count:", 0x04 },
	{ "Elasticity buffer overflow count:", 0x05 },
	{ "Received ERROR count:", 0x06 },
	{ "Received ERROR  count:", 0x06 },
	{ "Received address frame error count:", 0x20 },
	{ "Transmitted abandon-class OPEN_REJECT count:", 0x21 },
	{ "Received abandon-class OPEN_REJECT count:", 0x22 },
	{ "Transmitted retry-class OPEN_REJECT count:", 0x23 },
	{ "Received retry-class OPEN_REJECT count:", 0x24 },
	{ "Received AIP (WAITING ON PARTIAL) count:", 0x25 },
	{ "Received AIP (WAITING ON CONNECTION) count:", 0x26 },
	{ "Transmitted BREAK count:", 0x27 },
	{ "Received BREAK count:", 0x28 },
	{ "Break timeout count:", 0x29 },
	{ "Connection count:", 0x2a },
	{ "Peak transmitted pathway blocked count:", 0x2b },
	{ "Peak transmitted arbitration wait time (us):", 0x2c },
	{ "Peak transmitted arbitration wait time (ms):", 0x2c },
	{ "Peak arbitration time (us):", 0x2d },
	{ "Peak connection time (us):", 0x2e },
	{ "Transmitted SSP frame count:", 0x40 },
	{ "Received SSP frame count:", 0x41 },
	{ "Transmitted SSP frame error count:", 0x42 },
	{ "Received SSP frame error count:", 0x43 },
	{ "Transmitted CREDIT_BLOCKED count:", 0x44 },
	{ "Received CREDIT_BLOCKED count:", 0x45 },
	{ "Transmitted SATA frame count:", 0x50 },
	{ "Received SATA frame count:", 0x51 },
	{ "SATA flow control buffer overflow count:", 0x52 },
	{ "Transmitted SMP frame count:", 0x60 },
	{ "Received SMP frame count:", 0x61 },
	{ "Received SMP frame error count:", 0x63 },
	{ "Peak value detector threshold:", 0x00 },
	{ "Peak value detector threshold (us):", 0x00 },
	{ "Peak value detector threshold (ms):", 0x00 },
};
/* clang-format on */

static size_t take_event(struct smart *s, size_t i)
{
	struct smart_value v = { NULL, i, 1, smart_is_cut(s, i) };
	uint64_t n;

	for (size_t k = 0; k < array_size(events); k++) {
		v.s = words_after(smart_line(s, i), events[k].name);
		if (!v.s)
			continue;
		v.s += strspn(v.s, " ");
		if (!events[k].code)
			return smart_claim(s, i, 1, LINE_KNOWN);
		if (!has_place(s) || !smart_get_count(s, &v, "", &n))
			return smart_claim(s, i, 1, LINE_DAMAGED);
		/* milliseconds stand under a name of their own and are no microseconds */
		if (!str_ends(events[k].name, "(ms):"))
			emit_u64(&s->e, FACT_SAS_EVENT, s->sas_port,
				 s->sas_phy << 8 | events[k].code, n, i);
		return smart_claim(s, i, 1, LINE_READ);
	}
	return 0;
}

static size_t take_row(struct smart *s, size_t i)
{
	size_t n = smart_take_key(s, keys, i);

	return n ? n : take_event(s, i);
}

size_t smart_sas_head(struct smart *s, size_t i)
{
	s->has_sas_port = s->has_sas_phy = false;
	return smart_claim(s, i, 1, LINE_KNOWN);
}

const struct smart_section smart_sas = {
	.name = "sas-phy",
	.part = PART_SAS,
	.row = take_row,
};
