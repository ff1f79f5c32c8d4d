/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * umock KIND CAPTURE [KEY=VALUE]... -- COMMAND [ARGUMENT]...: runs the command where /dev/sda is a
 * drive that answers SG_IO from the capture, as satasim does behind a real kernel; here it may hang
 * on what that kernel does not have. KIND is how it is attached: ata, usb, suspended, optical.
 * To be run by umockdev-wrapper.
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

#define ATA_PATH "/devices/pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0"
#define USB_PATH                                                                         \
	"/devices/pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host6/target6:0:0/6:0:0:0"

static const struct kind {
	const char *name, *path, *vendor, *type, *power;
} kinds[] = {
	{ "ata", ATA_PATH, "ATA     ", "0", "active" },
	{ "usb", USB_PATH, "TESTUSB ", "0", "active" },
	{ "suspended", ATA_PATH, "ATA     ", "0", "suspended" },
	{ "optical", ATA_PATH, "TESTDVD ", "5", "active" },
};

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

static void add_disk(UMockdevTestbed *bed, const struct kind *k)
{
	char text[2048];

	(void)snprintf(text, sizeof(text),
		       "P: %s/block/sda\n"
		       "N: sda\n"
		       "E: DEVNAME=/dev/sda\nE: DEVTYPE=disk\nE: SUBSYSTEM=block\n"
		       "E: MAJOR=8\nE: MINOR=0\nE: ID_MODEL=TESTDISK\n"
		       "A: dev=8:0\\n\nA: size=131072\\n\nA: removable=0\\n\n"
		       "A: queue/rotational=1\\n\nA: queue/logical_block_size=512\\n\n"
		       "L: device=../../../%s\n\n"
		       "P: %s\nE: SUBSYSTEM=scsi\nE: DEVTYPE=scsi_device\n"
		       "A: vendor=%s\\n\nA: model=TESTDISK        \\n\nA: type=%s\\n\n"
		       "A: power/runtime_status=%s\\n\n\n",
		       k->path, strrchr(k->path, '/') + 1, k->path, k->vendor, k->type,
		       k->power);
	add(bed, text);
}

static void add_bridge(UMockdevTestbed *bed)
{
	add(bed, "P: /devices/pci0000:00/0000:00:14.0/usb2/2-1\n"
		 "E: SUBSYSTEM=usb\nE: DEVTYPE=usb_device\n"
		 "A: idVendor=0000\\n\nA: idProduct=0001\\n\n\n");
}

static void add_port(UMockdevTestbed *bed)
{
	add(bed, "P: /devices/pci0000:00/0000:00:17.0/ata1/link1/ata_link/link1\n"
		 "E: SUBSYSTEM=ata_link\nA: sata_spd=3.0 Gbps\\n\n"
		 "A: hw_sata_spd_limit=6.0 Gbps\\n\nA: sata_spd_limit=6.0 Gbps\\n\n\n");
}

/* --- SG_IO --------------------------------------------------------------------------------------------- */

static void answer(struct sim *s, sg_io_hdr_t *h, const uint8_t *cdb, uint8_t *data,
		   struct sim_answer *a)
{
	static uint8_t none[1024];
	uint8_t whole[32] = { 0 };

	memcpy(whole, cdb, h->cmd_len < sizeof(whole) ? h->cmd_len : sizeof(whole));
	sim_scsi(s, whole, data ? data : none, data ? h->dxfer_len : sizeof(none), a);
	if (a->us)
		(void)usleep(a->us);
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

static gboolean on_ioctl(UMockdevIoctlBase *base, UMockdevIoctlClient *c, gpointer user)
{
	const size_t from = offsetof(sg_io_hdr_t, status);
	UMockdevIoctlData *arg = umockdev_ioctl_client_get_arg(c), *head, *cdb, *data,
			  *sense;
	struct sim_answer a = { 0 };
	sg_io_hdr_t h;

	(void)base;
	if (umockdev_ioctl_client_get_request(c) != SG_IO)
		return FALSE;
	head = resolve(arg, 0, sizeof(h));
	if (!head)
		return FALSE;
	memcpy(&h, head->data, sizeof(h));
	cdb = resolve(head, offsetof(sg_io_hdr_t, cmdp), h.cmd_len);
	data = resolve(head, offsetof(sg_io_hdr_t, dxferp), h.dxfer_len);
	sense = resolve(head, offsetof(sg_io_hdr_t, sbp), h.mx_sb_len);
	answer(user, &h, cdb->data, data ? data->data : NULL, &a);
	if (data && h.dxfer_direction == SG_DXFER_FROM_DEV)
		umockdev_ioctl_data_update(data, 0, data->data, (int)a.bytes);
	if (sense && a.status)
		umockdev_ioctl_data_update(sense, 0, a.sense, 32);
	/* behind the pointers, which are the client's own */
	umockdev_ioctl_data_update(head, from, (guint8 *)&h + from,
				   (int)(sizeof(h) - from));
	umockdev_ioctl_client_complete(c, 0, 0);
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

int main(int argc, char **argv)
{
	const struct kind *k = argc > 1 ? find_kind(argv[1]) : NULL;
	UMockdevTestbed *bed;
	UMockdevIoctlBase *base;
	static struct sim s;
	int dashes = 2, status;

	while (dashes < argc && !str_equal(argv[dashes], "--"))
		dashes++;
	if (!k || dashes + 1 >= argc || sim_init(&s, dashes - 2, argv + 2))
		return 2;
	bed = umockdev_testbed_new();
	if (str_equal(k->path, ATA_PATH))
		add_port(bed);
	else
		add_bridge(bed);
	add_disk(bed, k);
	base = umockdev_ioctl_base_new();
	(void)g_signal_connect(base, "handle-ioctl", G_CALLBACK(on_ioctl), &s);
	if (!umockdev_testbed_attach_ioctl(bed, "/dev/sda", base, NULL))
		return 2;
	status = run(argv + dashes + 1);
	(void)umockdev_testbed_detach_ioctl(bed, "/dev/sda", NULL);
	g_object_unref(base);
	g_object_unref(bed);
	return status;
}
