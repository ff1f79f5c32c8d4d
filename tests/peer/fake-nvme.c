/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Preloaded into nvme-cli: Identify Controller and Get Log Page are answered from the files
 * "controller" and "log-02" of the folder $FAKE_NVME. The program may name any character device,
 * /dev/null for instance. What has no file is refused.
 */
#include <dlfcn.h>
#include <linux/nvme_ioctl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

int ioctl(int fd, unsigned long request, ...);

enum { ADMIN_GET_LOG = 0x02, ADMIN_IDENTIFY = 0x06, INVALID_FIELD = 0x4002 };

static int answer(const struct nvme_admin_cmd *c)
{
	char path[512];
	uint8_t *to = (uint8_t *)(uintptr_t)c->addr;
	FILE *f;

	if (c->opcode == ADMIN_IDENTIFY && (c->cdw10 & 0xff) == 1)
		(void)snprintf(path, sizeof(path), "%s/controller", getenv("FAKE_NVME"));
	else if (c->opcode == ADMIN_GET_LOG)
		(void)snprintf(path, sizeof(path), "%s/log-%02x", getenv("FAKE_NVME"),
			       c->cdw10 & 0xff);
	else
		return INVALID_FIELD;
	f = fopen(path, "rb");
	if (!f)
		return INVALID_FIELD;
	memset(to, 0, c->data_len);
	(void)!fread(to, 1, c->data_len, f);
	(void)fclose(f);
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	int (*next)(int, unsigned long, ...);
	va_list ap;
	void *p;

	va_start(ap, request);
	p = va_arg(ap, void *);
	va_end(ap);
	/* both forms begin with the same members */
	if (request == NVME_IOCTL_ADMIN_CMD || request == NVME_IOCTL_ADMIN64_CMD)
		return answer(p);
	*(void **)&next = dlsym(RTLD_NEXT, "ioctl");
	return next(fd, request, p);
}
