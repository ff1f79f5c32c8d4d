/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SG_IO to a device node, through a process of its own (sgio-child.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "device/node.h"
#include "device/sgio-child.h"
#include "device/transport.h"

#define OPEN_MS	 10000u
#define GRACE_MS 250u /* for the answer's way back when the kernel does keep its time */
#define RETRIES	 2u

struct sgio {
	struct transport transport;
	struct sgio_child child;
	struct node node;
	enum cdb_form form;
	bool form_known, ext_worked;
	char *path;
};

static struct sgio *sgio_of(struct transport *t)
{
	return (struct sgio *)t;
}

/* One call to the kernel. 0, or why there is no answer. */
static int call(struct sgio *s, const struct ata_command *c, size_t cdb_len,
		const uint8_t *cdb, uint32_t timeout_ms)
{
	struct sgio_channel *ch = s->child.channel;
	size_t in = ata_command_bytes(c);
	int r;

	memcpy(ch->cdb, cdb, CDB_MAX);
	ch->cdb_len = (uint8_t)cdb_len;
	ch->to_device = c->protocol == ATA_PIO_OUT;
	ch->bytes = ch->to_device ? ATA_SECTOR : (uint32_t)in;
	ch->timeout_ms = timeout_ms;
	if (ch->to_device)
		memcpy(ch->data, c->data_out, ATA_SECTOR);
	else
		memset(ch->data, 0, in);
	r = sgio_child_ask(&s->child);
	return r < 0 ? r
		     : sgio_child_wait(&s->child, timeout_ms + GRACE_MS,
				       s->transport.stop);
}

static int no_answer(int r, uint32_t timeout_ms, struct transport_result *ret)
{
	*ret = (struct transport_result){ .timed_out = r == -ETIMEDOUT };
	if (ret->timed_out)
		ret->took_us = (timeout_ms + GRACE_MS) * 1000u;
	return r;
}

static enum sgio_next send_once(struct sgio *s, const struct ata_command *c,
				uint8_t *data, uint32_t timeout_ms, const uint8_t *cdb,
				size_t cdb_len, struct transport_result *ret,
				int *ret_error)
{
	enum sgio_next next = SGIO_AGAIN;

	for (unsigned i = 0; i <= RETRIES && next == SGIO_AGAIN; i++) {
		int r = call(s, c, cdb_len, cdb, timeout_ms);

		if (r < 0) {
			*ret_error = no_answer(r, timeout_ms, ret);
			return SGIO_DONE;
		}
		next = sgio_judge(&s->child.channel->answer, c, s->child.channel->data,
				  ret, ret_error);
	}
	if (*ret_error == 0 && data)
		memcpy(data, s->child.channel->data, ata_command_bytes(c));
	return next;
}

static bool may_try(const struct sgio *s, enum cdb_form form)
{
	switch (form) {
	case CDB_12:
		return s->node.disk;
	case CDB_32:
		/* usb-storage cannot carry it, and what a bridge makes of it nobody knows */
		return !s->node.usb;
	case CDB_16:
	case CDB_FORM_COUNT:
		break;
	}
	return true;
}

/* The form works. What it refuses from now on is the command, not the form. */
static int refuse_field(struct sgio *s, const struct ata_command *c, int error)
{
	if (c->ext && c->protocol == ATA_PIO_IN && !s->ext_worked) {
		s->transport.no_ext = true;
		return -EOPNOTSUPP;
	}
	return error;
}

static int send_known(struct sgio *s, const struct ata_command *c, uint8_t *data,
		      uint32_t timeout_ms, struct transport_result *ret)
{
	uint8_t cdb[CDB_MAX];
	size_t len = cdb_build(c, s->form, cdb);
	int error = -EIO;
	enum sgio_next next;

	if (!len) {
		s->transport.no_ext = true;
		return -EOPNOTSUPP;
	}
	next = send_once(s, c, data, timeout_ms, cdb, len, ret, &error);
	if (next == SGIO_OTHER_FORM || next == SGIO_OTHER_FIELD)
		return refuse_field(s, c, next == SGIO_OTHER_FORM ? -EIO : error);
	if (error == 0 && c->ext)
		s->ext_worked = true;
	return error;
}

/* The first command finds the form that the path knows. */
static int send_first(struct sgio *s, const struct ata_command *c, uint8_t *data,
		      uint32_t timeout_ms, struct transport_result *ret)
{
	for (unsigned f = CDB_16; f < CDB_FORM_COUNT; f++) {
		uint8_t cdb[CDB_MAX];
		size_t len = cdb_build(c, (enum cdb_form)f, cdb);
		int error = -EIO;
		enum sgio_next next;

		if (!len || !may_try(s, (enum cdb_form)f))
			continue;
		next = send_once(s, c, data, timeout_ms, cdb, len, ret, &error);
		if (next == SGIO_OTHER_FORM || next == SGIO_OTHER_FIELD)
			continue;
		/* only a drive's own answer proves the form */
		if (error == 0 || ret->registers.known) {
			s->form = (enum cdb_form)f;
			s->form_known = true;
			s->ext_worked = error == 0 && c->ext;
		}
		return error;
	}
	return -EOPNOTSUPP;
}

static int sgio_send(struct transport *t, const struct ata_command *c, uint8_t *data,
		     uint32_t timeout_ms, struct transport_result *ret)
{
	struct sgio *s = sgio_of(t);

	if (ata_command_bytes(c) > SGIO_DATA_MAX)
		return -EINVAL;
	if (!s->child.opened) {
		int r = transport_sgio_wait(t, timeout_ms);

		if (r < 0)
			return no_answer(r, timeout_ms, ret);
	}
	return s->form_known ? send_known(s, c, data, timeout_ms, ret)
			     : send_first(s, c, data, timeout_ms, ret);
}

static void sgio_close(struct transport *t)
{
	struct sgio *s = sgio_of(t);

	sgio_child_end(&s->child);
	free(s->path);
	free(s);
}

static const struct transport_ops sgio_ops = {
	.name = "sgio",
	.send = sgio_send,
	.close = sgio_close,
};

int transport_sgio_start(const char *path, struct transport **ret)
{
	struct sgio *s = calloc(1, sizeof(*s));
	int r = s ? node_find(path, &s->node) : -ENOMEM;

	if (r == 0 && s->node.optical)
		r = -EMEDIUMTYPE;
	if (r == 0) {
		s->path = strdup(path);
		r = s->path ? sgio_child_start(&s->child, s->path) : -ENOMEM;
	}
	if (r < 0) {
		if (s)
			free(s->path);
		free(s);
		return r;
	}
	s->transport.ops = &sgio_ops;
	s->transport.one_sector = s->transport.no_dma_logs = s->node.usb;
	*ret = &s->transport;
	return 0;
}

int transport_sgio_wait(struct transport *t, uint32_t timeout_ms)
{
	struct sgio *s = sgio_of(t);
	int r;

	if (s->child.opened)
		return 0;
	r = sgio_child_wait(&s->child, timeout_ms, t->stop);
	if (r < 0)
		return r;
	if (s->child.channel->answer.error)
		return -s->child.channel->answer.error;
	s->child.opened = true;
	return 0;
}

int transport_sgio_open(const char *path, struct transport **ret)
{
	struct transport *t;
	int r = transport_sgio_start(path, &t);

	if (r == 0) {
		r = transport_sgio_wait(t, OPEN_MS);
		if (r < 0)
			transport_close(t);
		else
			*ret = t;
	}
	return r;
}
