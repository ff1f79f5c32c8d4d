/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside device/ only: one drive while it is read. */
#pragma once

#include "device/collect.h"

/* Pages of one command, and of one log: no log that is known here is longer. */
#define READ_PAGES_MAX 128u
#define LOG_PAGES_MAX  1024u

struct collector {
	struct capture *capture;
	struct cap_snapshot *snapshot;
	struct transport *transport;
	const struct collect_options *options;
	struct diag *diag;
	struct collect_stats stats;
	struct page_profile profile;
	bool no_directory; /* by the database, and */
	bool no_log[256];  /* logs that must not be read */
	uint32_t command_ms;
	uint64_t end_us;
	bool has_identify;
	bool over;	/* no further command */
	bool page_wise; /* a read of several pages failed where one page could be read */
	int error;	/* -ENOMEM, -E2BIG: memory or a limit of the capture */
	uint8_t *data;	/* READ_PAGES_MAX pages */
};

/* Send a command within the deadlines. As transport_send(); -ECANCELED when it is over. */
int collector_send(struct collector *k, const struct ata_command *c,
		   struct transport_result *ret);
/* Record its end; BODY is what came. NULL only when k->error is set. */
struct cap_item *collector_record(struct collector *k, const char *id, struct span body,
				  int error, bool sends_data,
				  const struct transport_result *r);
/* Record that something was not read, and why. */
void collector_skip(struct collector *k, const char *id, const char *reason);

/* Read a General Purpose or SMART log by its row, and record what came of it. */
void collector_read_log(struct collector *k, const struct page *row);

/* Read what SCT tells on request. */
void collector_read_sct(struct collector *k, const struct page *row);

/* What the database forbids for this model. */
void collector_ask_db(struct collector *k, struct span identify);
