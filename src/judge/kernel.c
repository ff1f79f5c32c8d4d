/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "judge/kernel.h"

#include "base/str.h"

/* drivers/ata: SATA commands by opcode */
#define READ_FPDMA    0x60u
#define WRITE_FPDMA   0x61u
#define NCQ_NON_DATA  0x63u
#define SEND_FPDMA    0x64u
#define RECEIVE_FPDMA 0x65u
#define FLUSH	      0xe7u
#define FLUSH_EXT     0xeau

#define ERROR_ICRC    0x80u

/* Bits that only a damaged frame sets. 10B8B alone comes with every plug event too. */
#define SERR_DAMAGE (SERR_BAD_CRC | SERR_HANDSHK | SERR_DISPAR | SERR_UNRECOV_DATA)

static bool is_wire(const struct event *e)
{
	if ((e->has & EVENT_HAS_RESULT) && (e->error & ERROR_ICRC) && (e->status & 0x01))
		return true;
	if (e->serr & (SERR_BAD_CRC | SERR_HANDSHK))
		return true;
	/* a link that comes up has decode errors until both ends are in step */
	if (e->serr & (SERR_DEV_EXCH | SERR_PHY_RDY_CHG))
		return false;
	return (e->serr & (SERR_DAMAGE | SERR_10B8B)) ||
	       (e->class == EVENT_INTERFACE && !(e->serr & SERR_COMM_WAKE));
}

/*
 * CommWake is sent when a link leaves sleep, and also when a drive is plugged in: then PHYRdyChg
 * and DevExch stand beside it.
 */
static bool is_wake(const struct event *e)
{
	if (e->class == EVENT_LINK_WAKE)
		return !(e->serr & SERR_PHY_RDY_CHG) || !(e->serr & SERR_DEV_EXCH);
	return (e->serr & SERR_COMM_WAKE) &&
	       !((e->serr & SERR_PHY_RDY_CHG) && (e->serr & SERR_DEV_EXCH));
}

static bool is_queued(const struct event *e)
{
	if (e->has & EVENT_HAS_COMMAND)
		return e->command == READ_FPDMA || e->command == WRITE_FPDMA ||
		       (e->command >= NCQ_NON_DATA && e->command <= RECEIVE_FPDMA);
	return (e->has & EVENT_HAS_SACT) && e->sact;
}

/* ACS-3 annex B: commands by direction of their data */
static const uint8_t reads[] = { 0x20, 0x24, 0x25, 0x29, 0x2a, 0x60, 0xc4, 0xc8 };
static const uint8_t writes[] = { 0x30, 0x34, 0x35, 0x39, 0x3a, 0x3d, 0x61, 0xc5, 0xca };

static bool is_among(const struct event *e, const uint8_t *commands, size_t n)
{
	for (size_t i = 0; (e->has & EVENT_HAS_COMMAND) && i < n; i++)
		if (commands[i] == e->command)
			return true;
	return false;
}

bool kernel_is_write(const struct event *e)
{
	return e->has_direction ? e->is_write : is_among(e, writes, array_size(writes));
}

bool kernel_is_read(const struct event *e)
{
	return e->has_direction ? !e->is_write : is_among(e, reads, array_size(reads));
}

static bool is_flush(const struct event *e)
{
	return (e->has & EVENT_HAS_COMMAND) &&
	       (e->command == FLUSH || e->command == FLUSH_EXT);
}

static enum kernel_group group_of_timeout(const struct event *e)
{
	if (is_wake(e))
		return KERNEL_WAKE;
	if (e->serr & (SERR_PHY_RDY_CHG | SERR_DEV_EXCH))
		return KERNEL_PLUG;
	if (is_flush(e))
		return KERNEL_FLUSH;
	return is_queued(e) ? KERNEL_QUEUED : KERNEL_SILENT;
}

static const enum kernel_group groups[EVENT_COUNT] = {
	[EVENT_MEDIA] = KERNEL_MEDIA,	      [EVENT_ID_NOT_FOUND] = KERNEL_IDNF,
	[EVENT_DEVICE_FAULT] = KERNEL_FAULT,  [EVENT_CAPACITY] = KERNEL_FAULT,
	[EVENT_ABORTED] = KERNEL_ABORT,	      [EVENT_HOST_BUS] = KERNEL_CONTROLLER,
	[EVENT_INTERNAL] = KERNEL_CONTROLLER, [EVENT_CONTROLLER_GONE] = KERNEL_CONTROLLER,
	[EVENT_IOMMU] = KERNEL_CONTROLLER,    [EVENT_INTERRUPT] = KERNEL_CONTROLLER,
	[EVENT_LINK_DOWN] = KERNEL_PLUG,
};

/* Exceptions whose cause only the SError bits tell. */
static const bool told_by_bits[EVENT_COUNT] = {
	[EVENT_INTERFACE] = true, [EVENT_PLUG] = true,	    [EVENT_LINK_WAKE] = true,
	[EVENT_PROTOCOL] = true,  [EVENT_EXCEPTION] = true,
};

static enum kernel_group group_by_bits(const struct event *e)
{
	if (is_wake(e))
		return KERNEL_WAKE;
	if ((e->serr & (SERR_PHY_RDY_CHG | SERR_DEV_EXCH)) || e->class == EVENT_PLUG)
		return KERNEL_PLUG;
	return KERNEL_OTHER;
}

enum kernel_group kernel_group_of(const struct event *e)
{
	if (event_class_kind(e->class) != EVENT_KIND_FAULT)
		return KERNEL_GROUPS;
	if (e->class <= EVENT_EXCEPTION && e->class != EVENT_CONTROLLER_GONE &&
	    is_wire(e))
		return KERNEL_WIRE;
	if (e->class == EVENT_TIMEOUT)
		return group_of_timeout(e);
	if (told_by_bits[e->class])
		return group_by_bits(e);
	/* KERNEL_WIRE is 0 and never comes from this table */
	return groups[e->class] ? groups[e->class] : KERNEL_OTHER;
}

static void note_group(struct kernel_view *v, const struct event *e, enum kernel_group g)
{
	uint32_t times = e->repeats + 1;

	v->n[g] += times;
	if (!v->first[g])
		v->first[g] = e;
	v->last[g] = e;
	v->near_sleep[g] += e->near_sleep ? times : 0;
	v->near_boot[g] += e->near_boot ? times : 0;
	v->together[g] += e->together ? times : 0;
	if (g == KERNEL_WIRE) {
		bool handshake = e->serr & SERR_HANDSHK;
		bool icrc = (e->has & EVENT_HAS_RESULT) && (e->error & ERROR_ICRC);

		v->to_host +=
			e->serr & (SERR_BAD_CRC | SERR_10B8B | SERR_DISPAR) ? times : 0;
		v->to_drive += handshake || (icrc && kernel_is_write(e)) ? times : 0;
	}
	if (g == KERNEL_WAKE)
		v->wake_linkseq |= (e->serr & SERR_LINK_SEQ) != 0;
	if (g == KERNEL_QUEUED) {
		v->send_queued |= e->command == SEND_FPDMA;
		v->queued_writes += e->command == WRITE_FPDMA ? times : 0;
	}
	if (g == KERNEL_SILENT && kernel_is_write(e))
		v->silent_writes += times;
}

static void note(struct kernel_view *v, const struct event *e)
{
	enum kernel_group g = kernel_group_of(e);

	v->there = true;
	if (e->optical) {
		if (e->boots_ago || g == KERNEL_GROUPS)
			return;
		v->n_optical += e->repeats + 1;
		v->optical = v->optical ? v->optical : e;
		return;
	}
	if (e->boots_ago) {
		v->earlier += event_class_kind(e->class) == EVENT_KIND_FAULT;
		return;
	}
	v->classes[e->class] += e->repeats + 1;
	if (!v->of_class[e->class])
		v->of_class[e->class] = e;
	if (e->class == EVENT_RESET_FAILED && e->error_number == -32)
		v->no_link += e->repeats + 1;
	v->multiplier += e->ata_port && e->ata_device == 15;
	if (g == KERNEL_GROUPS)
		return;
	v->faults += e->repeats + 1;
	note_group(v, e, g);
}

/* Of the host as a whole: every drive has its share of them. */
static const bool is_of_all[EVENT_COUNT] = {
	[EVENT_IOMMU] = true,	      [EVENT_INTERRUPT] = true,
	[EVENT_UNDER_VOLTAGE] = true, [EVENT_HUNG_TASK] = true,
	[EVENT_HBA_LOG_INFO] = true,  [EVENT_HBA_FAULT] = true,
	[EVENT_HBA_RESET] = true,     [EVENT_SUSPEND] = true,
	[EVENT_RESUME] = true,	      [EVENT_BOOT] = true,
};

static bool has_log(const struct drive *d)
{
	size_t n;

	return drive_facts(d, FACT_KLOG_LINES, &n) ||
	       drive_facts(d, FACT_KLOG_FAULTS, &n);
}

struct kernel_view kernel_look_at(const struct judge *j, const struct drive *d)
{
	const struct drive *host = &j->the_case->host;
	struct kernel_view v = { .there = has_log(d) || has_log(host) };

	v.complete = drive_flag(host, FACT_KLOG_COMPLETE, 0) ||
		     drive_flag(d, FACT_KLOG_COMPLETE, 0);
	for (size_t i = 0; i < d->n_events; i++)
		note(&v, &d->events[i]);
	for (size_t i = 0; d != host && i < host->n_events; i++)
		if (j->the_case->n_drives == 1 || is_of_all[host->events[i].class])
			note(&v, &host->events[i]);
	return v;
}

struct kernel_view kernel_look(const struct judge *j)
{
	return j->kernel ? *j->kernel : kernel_look_at(j, j->d);
}

void kernel_keep(struct judge *j)
{
	struct kernel_view *v;

	j->kernel = NULL;
	v = arena_alloc(&j->report->arena, sizeof(*v));
	if (!v)
		return; /* every rule looks for itself then */
	*v = kernel_look_at(j, j->d);
	j->kernel = v;
}

/* Ports of events that no drive is known for: at most this many are told apart. */
#define MAX_PORTS 64u

unsigned kernel_ports_with(const struct judge *j, enum kernel_group group)
{
	const struct drive *host = &j->the_case->host;
	uint32_t ports[MAX_PORTS];
	unsigned n = 0, n_ports = 0;

	for (size_t i = 0; i < j->the_case->n_drives; i++) {
		const struct drive *d = j->the_case->drives[i];
		bool has = false;

		for (size_t k = 0; k < d->n_events && !has; k++)
			has = !d->events[k].boots_ago && !d->events[k].near_boot &&
			      kernel_group_of(&d->events[k]) == group;
		n += has;
	}
	for (size_t i = 0; i < host->n_events; i++) {
		const struct event *e = &host->events[i];
		unsigned k = 0;

		if (e->boots_ago || e->near_boot || e->optical ||
		    kernel_group_of(e) != group || !e->ata_port)
			continue;
		while (k < n_ports && ports[k] != e->ata_port)
			k++;
		if (k == n_ports && n_ports < MAX_PORTS)
			ports[n_ports++] = e->ata_port;
	}
	return n + n_ports;
}

static const char *const group_words[KERNEL_GROUPS] = {
	[KERNEL_WIRE] = "damaged frames on the link",
	[KERNEL_PLUG] = "the link went away or came back",
	[KERNEL_WAKE] = "errors with CommWake and without a damaged frame",
	[KERNEL_QUEUED] = "queued commands never answered while the link reports nothing "
			  "(SErr 0)",
	[KERNEL_FLUSH] = "flushes never answered while the link reports nothing",
	[KERNEL_SILENT] = "commands never answered while the link reports nothing (SErr "
			  "0)",
	[KERNEL_MEDIA] = "unreadable sectors",
	[KERNEL_IDNF] = "addresses that the drive did not find (IDNF)",
	[KERNEL_ABORT] = "commands that the drive aborted",
	[KERNEL_FAULT] = "faults that the drive reports of itself",
	[KERNEL_CONTROLLER] = "errors in the controller or before it",
	[KERNEL_OTHER] = "other failures",
};

/* An event has a line but is no fact: this lends it one for source and clock. */
static struct fact fact_of(const struct event *e)
{
	return (struct fact){ .key = { FACT_KLOG_FAULTS, 0, 0 },
			      .trust = TRUST_TEXT,
			      .origin = e->origin };
}

static void add_event(struct judge *j, struct finding *f, const struct event *e,
		      uint32_t n, const char *words)
{
	struct fact fact = fact_of(e);
	struct buf place cleanup_buf = { 0 };

	event_add_place(&place, e);
	judge_for(j, f, SIDE_HOST, &fact, "kernel log: %s%s%s%s%s", words,
		  place.len ? ", " : "", place.len ? buf_text(&place) : "",
		  n > 1 ? judge_text(j, ", %s times", judge_number(j, n)) : "",
		  e->serr ? judge_text(j, ", SErr 0x%x", e->serr) : "");
}

void kernel_for(struct judge *j, struct finding *f, const struct kernel_view *v,
		enum kernel_group group)
{
	if (v->first[group])
		add_event(j, f, v->first[group], v->n[group], group_words[group]);
}

void kernel_for_class(struct judge *j, struct finding *f, const struct kernel_view *v,
		      enum event_class c)
{
	if (v->of_class[c])
		add_event(j, f, v->of_class[c], v->classes[c], event_class_words(c));
}

void kernel_for_optical(struct judge *j, struct finding *f, const struct kernel_view *v)
{
	if (v->optical)
		add_event(j, f, v->optical, v->n_optical, "failures of an optical drive");
}

void kernel_against_silence(struct judge *j, struct finding *f,
			    const struct kernel_view *v, const char *what)
{
	if (v->there && !v->faults)
		judge_against(j, f, SIDE_HOST, NULL,
			      v->complete ? "the kernel log is complete since boot and "
					    "holds no %s"
					  : "the kernel log that was given holds no %s",
			      what);
}
