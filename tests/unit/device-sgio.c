/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SG_IO without a drive: ioctl() is replaced by a script of answers, in the process that calls it. */
#include "unit.h"

#include <errno.h>
#include <poll.h>
#include <scsi/sg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "device/node.h"
#include "device/transport.h"

#define STEPS 8

struct step {
	uint8_t operation; /* expected first byte of the command block */
	uint8_t status, host_status;
	int error, resid;
	unsigned sleep_ms;
	uint8_t fill; /* of the data */
	uint8_t sense[24];
};

/* Shared with the process that waits for the drive. */
static struct script {
	struct step steps[STEPS];
	volatile unsigned n;
	volatile uint8_t seen[STEPS]; /* operation codes */
	volatile int direction, len, cdb_len;
	volatile unsigned timeout;
	uint8_t out[4];
} * script;

static struct node node;

int __wrap_ioctl(int fd, unsigned long request, void *arg);
int __wrap_node_find(const char *path, struct node *ret);

int __wrap_node_find(const char *path, struct node *ret)
{
	(void)path;
	*ret = node;
	return 0;
}

int __wrap_ioctl(int fd, unsigned long request, void *arg)
{
	sg_io_hdr_t *h = arg;
	const struct step *s;
	struct timespec t;

	(void)fd;
	if (request != SG_IO || script->n >= STEPS)
		_exit(99);
	s = &script->steps[script->n];
	script->seen[script->n++] = h->cmdp[0];
	script->direction = h->dxfer_direction;
	script->len = (int)h->dxfer_len;
	script->cdb_len = h->cmd_len;
	script->timeout = h->timeout;
	if (h->dxfer_direction == SG_DXFER_TO_DEV)
		memcpy(script->out, h->dxferp, 4);
	t = (struct timespec){ s->sleep_ms / 1000, (long)(s->sleep_ms % 1000) * 1000000 };
	(void)nanosleep(&t, NULL);
	if (s->error) {
		errno = s->error;
		return -1;
	}
	if (h->dxfer_direction == SG_DXFER_FROM_DEV)
		memset(h->dxferp, s->fill, h->dxfer_len);
	h->status = s->status;
	h->host_status = s->host_status;
	h->resid = s->resid;
	memcpy(h->sbp, s->sense, sizeof(s->sense));
	h->sb_len_wr = s->sense[0] ? sizeof(s->sense) : 0;
	return 0;
}

static int setup(void **state)
{
	(void)state;
	script = mmap(NULL, sizeof(*script), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return script == MAP_FAILED;
}

static struct transport *open_with(const struct step *steps, size_t n, struct node how)
{
	struct transport *t = NULL;

	memset(script, 0, sizeof(*script));
	memcpy(script->steps, steps, n * sizeof(*steps));
	node = how;
	assert_int_equal(transport_sgio_open("/dev/null", &t), 0);
	return t;
}

#define OPEN(how, ...)                                                                   \
	open_with((const struct step[]){ __VA_ARGS__ },                                  \
		  sizeof((const struct step[]){ __VA_ARGS__ }) / sizeof(struct step),    \
		  how)

static const struct node plain, a_disk = { .disk = true },
				usb = { .usb = true, .disk = true };

/* Sense of the kernel's and of bridges' refusals, SPC-5: ASC 20h and 24h. */
#define NO_OPCODE .status = 2, .sense = { 0x70, 0, 5, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x20 }
#define NO_FIELD  .status = 2, .sense = { 0x70, 0, 5, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x24 }

static int64_t now_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void reads_a_page(void **state)
{
	struct transport *t = OPEN(plain, { .fill = 0x5a });
	struct ata_command c = ata_identify();
	struct transport_result r;
	uint8_t data[512] = { 0 };

	(void)state;
	assert_int_equal(transport_send(t, &c, data, 1234, &r), 0);
	assert_int_equal(script->direction, SG_DXFER_FROM_DEV);
	assert_int_equal(script->len, 512);
	assert_int_equal(script->cdb_len, 16);
	assert_int_equal(script->timeout, 1234);
	assert_int_equal(script->seen[0], 0x85);
	assert_int_equal(data[0], 0x5a);
	assert_int_equal(data[511], 0x5a);
	assert_int_equal(r.received, 512);
	assert_false(r.registers.known);
	transport_close(t);
}

static void no_data_no_direction(void **state)
{
	struct transport *t = OPEN(
		plain, { .status = 2,
			 .sense = { 0x72, 1, 0,	   0x1d, 0, 0, 0, 14, 9, 12,   0,
				    0,	  0, 0xff, 0,	 0, 0, 0, 0,  0, 0x40, 0x50 } });
	struct ata_command c = ata_check_power_mode();
	struct transport_result r;

	(void)state;
	assert_int_equal(transport_send(t, &c, NULL, 1000, &r), 0);
	assert_int_equal(script->direction, SG_DXFER_NONE);
	assert_int_equal(script->len, 0);
	assert_true(r.registers.known);
	assert_int_equal(r.registers.count, 0xff);
	transport_close(t);
}

/* GOOD without sense data: the bridge does not know CK_COND. Nothing is known then. */
static void registers_unknown(void **state)
{
	struct transport *t = OPEN(usb, { .status = 0 });
	struct ata_command c = ata_smart_status();
	struct transport_result r;

	(void)state;
	assert_int_equal(transport_send(t, &c, NULL, 1000, &r), 0);
	assert_false(r.registers.known);
	transport_close(t);
}

static void data_out_reaches_the_drive(void **state)
{
	struct transport *t = OPEN(plain, { .status = 0 });
	uint8_t sector[512];
	struct ata_command c = ata_sct_history(sector);
	struct transport_result r;

	(void)state;
	assert_int_equal(transport_send(t, &c, NULL, 1000, &r), -EPERM);
	assert_int_equal(script->n, 0); /* the gate is in front of the kernel */
	t->grants = 4;
	assert_int_equal(transport_send(t, &c, NULL, 1000, &r), 0);
	assert_int_equal(script->direction, SG_DXFER_TO_DEV);
	assert_int_equal(script->out[0], 5);
	transport_close(t);
}

static void twelve_bytes_for_old_bridges(void **state)
{
	struct transport *t = OPEN(usb, { NO_OPCODE }, { .fill = 1 }, { .fill = 2 });
	struct ata_command c = ata_identify(),
			   e = ata_read_log_ext(0, 0, 1, false, false);
	struct transport_result r;
	uint8_t data[512];

	(void)state;
	assert_true(t->one_sector);
	assert_true(t->no_dma_logs);
	assert_int_equal(transport_send(t, &c, data, 1000, &r), 0);
	assert_int_equal(script->seen[0], 0x85);
	assert_int_equal(script->seen[1], 0xa1);
	assert_int_equal(transport_send(t, &c, data, 1000, &r), 0);
	assert_int_equal(script->seen[2], 0xa1); /* remembered */
	assert_int_equal(transport_send(t, &e, data, 1000, &r), -EOPNOTSUPP);
	assert_true(t->no_ext);
	assert_int_equal(script->n, 3);
	transport_close(t);
}

/* A1h is BLANK to an optical drive: only to what the kernel knows as a disk. */
static void twelve_bytes_never_elsewhere(void **state)
{
	struct transport *t = OPEN(plain, { NO_OPCODE }, { NO_OPCODE });
	struct ata_command c = ata_identify();
	struct transport_result r;
	uint8_t data[512];

	(void)state;
	assert_int_equal(transport_send(t, &c, data, 1000, &r), -EOPNOTSUPP);
	assert_int_equal(script->n, 2);
	assert_int_equal(script->seen[0], 0x85);
	assert_int_equal(script->seen[1], 0x7f);
	transport_close(t);
	node = (struct node){ .optical = true };
	assert_int_equal(transport_sgio_open("/dev/null", &t), -EMEDIUMTYPE);
}

static void thirty_two_bytes_last(void **state)
{
	struct transport *t = OPEN(a_disk, { NO_OPCODE }, { NO_OPCODE }, { .fill = 7 });
	struct ata_command c = ata_identify();
	struct transport_result r;
	uint8_t data[512];

	(void)state;
	assert_int_equal(transport_send(t, &c, data, 1000, &r), 0);
	assert_int_equal(script->seen[2], 0x7f);
	assert_int_equal(script->cdb_len, 32);
	assert_int_equal(data[0], 7);
	transport_close(t);
}

/* Seen behind UAS: the kernel answers for the bridge (NO_ATA_1X). */
static void no_pass_through(void **state)
{
	struct transport *t = OPEN(usb, { NO_FIELD }, { NO_FIELD });
	struct ata_command c = ata_identify();
	struct transport_result r;
	uint8_t data[512];

	(void)state;
	assert_int_equal(transport_send(t, &c, data, 1000, &r), -EOPNOTSUPP);
	assert_int_equal(script->n, 2); /* and no 32 bytes to a bridge */
	transport_close(t);
}

static void bridge_without_48_bits(void **state)
{
	struct transport *t = OPEN(usb, { .fill = 1 }, { NO_FIELD }, { .fill = 2 });
	struct ata_command c = ata_identify(),
			   e = ata_read_log_ext(0, 0, 1, false, false);
	struct transport_result r;
	uint8_t data[512];

	(void)state;
	assert_int_equal(transport_send(t, &c, data, 1000, &r), 0);
	assert_int_equal(transport_send(t, &e, data, 1000, &r), -EOPNOTSUPP);
	assert_int_equal(transport_send(t, &e, data, 1000, &r), -EOPNOTSUPP);
	assert_int_equal(script->n, 2);
	assert_int_equal(transport_send(t, &c, data, 1000, &r), 0);
	transport_close(t);
}

/* Where a 48-bit command has worked, an unknown field is about this one. */
static void dma_refused(void **state)
{
	struct transport *t = OPEN(plain, { .fill = 1 }, { NO_FIELD });
	struct ata_command pio = ata_read_log_ext(0, 0, 1, false, false),
			   dma = ata_read_log_ext(0, 0, 1, true, false);
	struct transport_result r;
	uint8_t data[512];

	(void)state;
	assert_int_equal(transport_send(t, &pio, data, 1000, &r), 0);
	assert_int_equal(transport_send(t, &dma, data, 1000, &r), -EIO);
	assert_false(t->no_ext);
	transport_close(t);
}

static void a_reset_is_passed_over(void **state)
{
	struct transport *t =
		OPEN(plain,
		     { .status = 2,
		       .sense = { 0x70, 0, 6, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x29 } },
		     { .fill = 3 });
	struct ata_command c = ata_identify();
	struct transport_result r;
	uint8_t data[512];

	(void)state;
	assert_int_equal(transport_send(t, &c, data, 1000, &r), 0);
	assert_int_equal(script->n, 2);
	assert_int_equal(data[0], 3);
	transport_close(t);
}

static void short_transfers(void **state)
{
	struct transport *t =
		OPEN(plain, { .fill = 0, .resid = 256 }, { .fill = 9, .resid = 512 });
	struct ata_command c = ata_identify();
	struct transport_result r;
	uint8_t data[512];

	(void)state;
	assert_int_equal(transport_send(t, &c, data, 1000, &r), 0);
	assert_int_equal(r.received, 256);
	/* a bridge that says nothing came, and all of it is there */
	assert_int_equal(transport_send(t, &c, data, 1000, &r), 0);
	assert_int_equal(r.received, 512);
	transport_close(t);
}

static void what_the_kernel_says(void **state)
{
	static const struct {
		struct step step;
		int result;
		bool timed_out, gone;
	} cases[] = {
		{ { .error = ENODEV }, -ENODEV, false, true },
		{ { .error = ENXIO }, -ENODEV, false, true },
		{ { .error = EPERM }, -EPERM, false, false },
		{ { .error = ENOTTY }, -EOPNOTSUPP, false, false },
		{ { .host_status = 1 }, -ENODEV, false, true },
		{ { .host_status = 3 }, -ETIMEDOUT, true, false },
		{ { .host_status = 7 }, -EIO, false, false },
		{ { .status = 8 }, -EIO, false, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct transport *t = open_with(&cases[i].step, 1, plain);
		struct ata_command c = ata_identify();
		struct transport_result r;
		uint8_t data[512];

		assert_int_equal(transport_send(t, &c, data, 1000, &r), cases[i].result);
		assert_int_equal(r.timed_out, cases[i].timed_out);
		assert_int_equal(r.gone, cases[i].gone);
		assert_int_equal(r.received, 0);
		transport_close(t);
	}
}

/* The kernel does not come back: the deadline holds, and so does the end of the program. */
static void a_hung_drive_costs_its_deadline(void **state)
{
	struct transport *t = OPEN(plain, { .sleep_ms = 20000 });
	struct ata_command c = ata_identify();
	struct transport_result r;
	uint8_t data[512];
	int64_t start = now_ms(), took;

	(void)state;
	assert_int_equal(transport_send(t, &c, data, 100, &r), -ETIMEDOUT);
	assert_true(r.timed_out);
	assert_int_equal(transport_send(t, &c, data, 100, &r), -ETIMEDOUT);
	transport_close(t);
	took = now_ms() - start;
	print_message("# took %d ms\n", (int)took);
	assert_true(took >= 100);
	assert_true(took < 10000);
}

static void the_user_may_stop_it(void **state)
{
	struct transport *t = OPEN(plain, { .sleep_ms = 20000 });
	struct ata_command c = ata_identify();
	volatile sig_atomic_t stop = 0;
	struct transport_result r;
	uint8_t data[512];

	(void)state;
	t->stop = &stop;
	stop = 1;
	assert_int_equal(transport_send(t, &c, data, 10000, &r), -EINTR);
	transport_close(t);
}

/* A pipe behind the program must end with it, whatever a drive does. */
static void the_other_process_holds_no_files(void **state)
{
	struct pollfd p = { .events = POLLIN };
	struct transport *t;
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	t = OPEN(plain, { .status = 0 });
	(void)close(fds[1]);
	p.fd = fds[0];
	assert_int_equal(poll(&p, 1, 5000), 1);
	assert_true((p.revents & POLLHUP) != 0);
	(void)close(fds[0]);
	transport_close(t);
}

static void what_cannot_be_opened(void **state)
{
	struct transport *t = NULL;

	(void)state;
	node = plain;
	assert_int_equal(transport_sgio_open("/nowhere/at/all", &t), -ENOENT);
	assert_null(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_a_page),
		cmocka_unit_test(no_data_no_direction),
		cmocka_unit_test(registers_unknown),
		cmocka_unit_test(data_out_reaches_the_drive),
		cmocka_unit_test(twelve_bytes_for_old_bridges),
		cmocka_unit_test(twelve_bytes_never_elsewhere),
		cmocka_unit_test(thirty_two_bytes_last),
		cmocka_unit_test(no_pass_through),
		cmocka_unit_test(bridge_without_48_bits),
		cmocka_unit_test(dma_refused),
		cmocka_unit_test(a_reset_is_passed_over),
		cmocka_unit_test(short_transfers),
		cmocka_unit_test(what_the_kernel_says),
		cmocka_unit_test(a_hung_drive_costs_its_deadline),
		cmocka_unit_test(the_user_may_stop_it),
		cmocka_unit_test(the_other_process_holds_no_files),
		cmocka_unit_test(what_cannot_be_opened),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
