/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * umock KIND CAPTURE [KEY=VALUE]... [and KIND CAPTURE ...]... -- COMMAND [ARGUMENT]...: runs the
 * command where /dev/sda is a drive that answers SG_IO from the capture, as satasim does behind a real
 * kernel; here it may hang on what that kernel does not have. KIND is how it is attached: ata, usb,
 * suspended, optical; "60xata" are 60 of them, sda to sdbh. To be run by umockdev-wrapper.
 */
#include <scsi/sg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <umockdev.h>
#include <unistd.h>

#include "../vm/sim.h"
#include "base/attrs.h"
#include "base/str.h"

#define ATA_PATH "/devices/pci0000:00/0000:00:17.0/ata%u/host%u/target%u:0:0/%u:0:0:0"
#define USB_PATH                                                                         \
	"/devices/pci0000:00/0000:00:14.0/usb2/2-%u/2-%u:1.0/host%u/target%u:0:0/"       \
	"%u:0:0:0"

enum { DRIVES_MAX = 64 };

static const struct kind {
	const char *name;
	bool usb;
	const char *vendor, *type, *power;
} kinds[] = {
	{ "ata", false, "ATA     ", "0", "active" },
	{ "usb", true, "TESTUSB ", "0", "active" },
	{ "suspended", false, "ATA     ", "0", "suspended" },
	{ "optical", false, "TESTDVD ", "5", "active" },
};

struct drive {
	const struct kind *kind;
	unsigned number; /* from 1 */
	char name[8];	 /* "sda" */
	struct sim sim;
	UMockdevIoctlBase *base;
};

static struct drive drives[DRIVES_MAX];
static size_t n_drives;

static const struct kind *find_kind(const char *name)
{
	for (size_t i = 0; i < array_size(kinds); i++)
		if (str_equal(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}

/* --- the tree of /sys -------------------------------------------------------------------------------- */

static void add(UMockdevTestbed *bed, const char *text)
{
	GError *e = NULL;

	if (!umockdev_testbed_add_from_string(bed, text, &e)) {
		(void)fprintf(stderr, "umock: %s\n", e->message);
		exit(1);
	}
}

static void add_disk(UMockdevTestbed *bed, const struct drive *d)
{
	const struct kind *k = d->kind;
	unsigned n = d->number;
	char text[2048], path[256];

	(void)snprintf(path, sizeof(path), k->usb ? USB_PATH : ATA_PATH, n, n, n, n, n);
	(void)snprintf(text, sizeof(text),
		       "P: %s/block/%s\n"
		       "N: %s\n"
		       "E: DEVNAME=/dev/%s\nE: DEVTYPE=disk\nE: SUBSYSTEM=block\n"
		       "E: MAJOR=8\nE: MINOR=%u\nE: ID_MODEL=TESTDISK\n"
		       "A: dev=8:%u\\n\nA: size=131072\\n\nA: removable=0\\n\n"
		       "A: queue/rotational=1\\n\nA: queue/logical_block_size=512\\n\n"
		       "L: device=../../../%u:0:0:0\n\n"
		       "P: %s\nE: SUBSYSTEM=scsi\nE: DEVTYPE=scsi_device\n"
		       "A: vendor=%s\\n\nA: model=TESTDISK        \\n\nA: type=%s\\n\n"
		       "A: power/runtime_status=%s\\n\n\n",
		       path, d->name, d->name, d->name, 16 * (n - 1), 16 * (n - 1), n,
		       path, k->vendor, k->type, k->power);
	add(bed, text);
}

static void add_bridge(UMockdevTestbed *bed, const struct drive *d)
{
	char text[512];

	(void)snprintf(text, sizeof(text),
		       "P: /devices/pci0000:00/0000:00:14.0/usb2/2-%u\n"
		       "E: SUBSYSTEM=usb\nE: DEVTYPE=usb_device\n"
		       "A: idVendor=0000\\n\nA: idProduct=0001\\n\n\n",
		       d->number);
	add(bed, text);
}

static void add_port(UMockdevTestbed *bed, const struct drive *d)
{
	char text[512];
	unsigned n = d->number;

	(void)snprintf(
		text, sizeof(text),
		"P: /devices/pci0000:00/0000:00:17.0/ata%u/link%u/ata_link/link%u\n"
		"E: SUBSYSTEM=ata_link\nA: sata_spd=3.0 Gbps\\n\n"
		"A: hw_sata_spd_limit=6.0 Gbps\\n\nA: sata_spd_limit=6.0 Gbps\\n\n\n",
		n, n, n);
	add(bed, text);
}

/* --- SG_IO --------------------------------------------------------------------------------------------- */

static void answer(struct sim *s, sg_io_hdr_t *h, const uint8_t *cdb, uint8_t *data,
		   struct sim_answer *a)
{
	static uint8_t none[1024];
	uint8_t whole[32] = { 0 };

	memcpy(whole, cdb, h->cmd_len < sizeof(whole) ? h->cmd_len : sizeof(whole));
	sim_scsi(s, whole, data ? data : none, data ? h->dxfer_len : sizeof(none), a);
	h->status = a->status;
	h->host_status = h->driver_status = 0;
	h->resid = h->dxferp ? (int)(h->dxfer_len - a->bytes) : 0;
	h->sb_len_wr = a->status ? 32 : 0;
	h->info = a->status ? SG_INFO_CHECK : 0;
}

static UMockdevIoctlData *resolve(UMockdevIoctlData *from, size_t offset, size_t len)
{
	return len ? umockdev_ioctl_data_resolve(from, offset, len, NULL) : NULL;
}

/* A command that the drive has not yet ended. */
struct pending {
	UMockdevIoctlClient *client;
	UMockdevIoctlData *head, *data, *sense;
	sg_io_hdr_t h;
	struct sim_answer a;
};

static gboolean finish(gpointer user)
{
	const size_t from = offsetof(sg_io_hdr_t, status);
	struct pending *p = user;

	if (p->data && p->h.dxfer_direction == SG_DXFER_FROM_DEV)
		umockdev_ioctl_data_update(p->data, 0, p->data->data, (int)p->a.bytes);
	if (p->sense && p->a.status)
		umockdev_ioctl_data_update(p->sense, 0, p->a.sense, 32);
	/* behind the pointers, which are the client's own */
	umockdev_ioctl_data_update(p->head, from, (guint8 *)&p->h + from,
				   (int)(sizeof(p->h) - from));
	umockdev_ioctl_client_complete(p->client, 0, 0);
	g_object_unref(p->client);
	g_free(p);
	return G_SOURCE_REMOVE;
}

/* Drives do not wait for each other. */
static void finish_later(struct pending *p)
{
	GSource *timer = g_timeout_source_new((p->a.us + 999) / 1000);

	g_source_set_callback(timer, finish, p, NULL);
	(void)g_source_attach(timer, g_main_context_get_thread_default());
	g_source_unref(timer);
}

static gboolean on_ioctl(UMockdevIoctlBase *base, UMockdevIoctlClient *c, gpointer user)
{
	struct drive *d = user;
	UMockdevIoctlData *arg = umockdev_ioctl_client_get_arg(c), *cdb;
	struct pending *p;

	(void)base;
	if (umockdev_ioctl_client_get_request(c) != SG_IO)
		return FALSE;
	p = g_new0(struct pending, 1);
	p->head = resolve(arg, 0, sizeof(p->h));
	if (!p->head) {
		g_free(p);
		return FALSE;
	}
	p->client = g_object_ref(c);
	memcpy(&p->h, p->head->data, sizeof(p->h));
	cdb = resolve(p->head, offsetof(sg_io_hdr_t, cmdp), p->h.cmd_len);
	p->data = resolve(p->head, offsetof(sg_io_hdr_t, dxferp), p->h.dxfer_len);
	p->sense = resolve(p->head, offsetof(sg_io_hdr_t, sbp), p->h.mx_sb_len);
	answer(&d->sim, &p->h, cdb->data, p->data ? p->data->data : NULL, &p->a);
	if (p->a.us)
		finish_later(p);
	else
		(void)finish(p);
	return TRUE;
}

static int run(char **command)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		(void)execvp(command[0], command);
		_exit(127);
	}
	(void)waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* sda, ..., sdz, sdaa, ... */
static void name_drive(struct drive *d)
{
	unsigned i = d->number - 1;

	if (i < 26)
		(void)snprintf(d->name, sizeof(d->name), "sd%c", 'a' + (int)i);
	else
		(void)snprintf(d->name, sizeof(d->name), "sd%c%c",
			       'a' + (int)(i / 26 - 1), 'a' + (int)(i % 26));
}

/* "KIND CAPTURE [KEY=VALUE]...". The options are read by each, and changed by none. */
static bool take_drives(int argc, char **argv)
{
	char *rest = argv[0];
	unsigned long n = argc > 1 ? strtoul(argv[0], &rest, 10) : 0;
	const struct kind *k = argc > 1 ? find_kind(n ? rest + 1 : rest) : NULL;

	if (!k)
		return false;
	for (n = n ? n : 1; n && n_drives < DRIVES_MAX; n--) {
		struct drive *d = &drives[n_drives++];
		char *copy[64];
		int i;

		for (i = 1; i < argc && i < 64; i++)
			copy[i - 1] = g_strdup(argv[i]);
		d->kind = k;
		d->number = (unsigned)n_drives;
		name_drive(d);
		if (sim_init(&d->sim, i - 1, copy))
			return false;
		d->sim.unit = d->number;
	}
	return n == 0;
}

static int attach(UMockdevTestbed *bed, struct drive *d)
{
	char node[32];

	if (d->kind->usb)
		add_bridge(bed, d);
	else
		add_port(bed, d);
	add_disk(bed, d);
	d->base = umockdev_ioctl_base_new();
	(void)g_signal_connect(d->base, "handle-ioctl", G_CALLBACK(on_ioctl), d);
	(void)snprintf(node, sizeof(node), "/dev/%s", d->name);
	return umockdev_testbed_attach_ioctl(bed, node, d->base, NULL) ? 0 : -1;
}

static int next_word(int argc, char **argv, int from, const char *word)
{
	while (from < argc && !str_equal(argv[from], word))
		from++;
	return from;
}

int main(int argc, char **argv)
{
	int dashes = next_word(argc, argv, 1, "--"), status;
	UMockdevTestbed *bed;

	if (dashes + 1 >= argc)
		return 2;
	for (int at = 1, end; at < dashes; at = end + 1) {
		end = next_word(dashes, argv, at, "and");
		if (!take_drives(end - at, argv + at))
			return 2;
	}
	bed = umockdev_testbed_new();
	for (size_t i = 0; i < n_drives; i++)
		if (attach(bed, &drives[i]) < 0)
			return 2;
	status = run(argv + dashes + 1);
	for (size_t i = 0; i < n_drives; i++) {
		char node[32];

		(void)snprintf(node, sizeof(node), "/dev/%s", drives[i].name);
		(void)umockdev_testbed_detach_ioctl(bed, node, NULL);
		g_object_unref(drives[i].base);
	}
	g_object_unref(bed);
	return status;
}
