/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nvme-cli's JSON: smart-log, id-ctrl and list. Temperatures are in kelvins. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/json-text.h"
#include "import/nvme-cli.h"

/* A number, as text where it is of 128 bits, or since 2.x for some "value" of an object. */
static bool number_of(struct json_object *o, const char *key, uint64_t *ret)
{
	struct json_object *inner = json_text_get(o, key, json_type_object);
	const char *text = json_text_string(o, key);
	struct scan sc = { text ? text : "" };

	if (text)
		return scan_u64(&sc, ret) && scan_end(&sc);

	return inner ? json_text_number(inner, "value", 1, ret)
		     : json_text_number(o, key, 1, ret);
}

static int put_object(struct import *im, struct json_object *root,
		      const struct nvme_key *keys, size_t index, size_t end)
{
	const struct text *t = im->text;
	struct emit e = { .im = im };
	const char *command;
	char device[64], name[64];
	size_t at = index;

	command = posted_command_above(t, index, "nvme", 3, &at);
	if (command && posted_device(t->lines[at].s, device, sizeof(device))) {
		emit_text(&e, FACT_DEVICE, 0, 0, device, at);
		text_claim(im->text, at, LINE_READ, NVME_SECTION);
	}
	emit_text(&e, FACT_BUS, 0, 0, "nvme", index);
	json_object_object_foreach(root, key, value)
	{
		const struct nvme_key *k;
		size_t line = json_text_line(t, index, end, key);
		uint64_t u;

		nvme_normalise(key, strlen(key), name, sizeof(name));
		k = nvme_find(keys, name);
		if (k && k->form == NVME_TEXT && json_text_string(root, key)) {
			const char *s = json_text_string(root, key);
			size_t n = strlen(s);
			struct buf text cleanup_buf = { 0 };

			while (n && s[n - 1] == ' ')
				n--;
			buf_add(&text, s, n);
			if (n)
				emit_text(&e, k->id, 0, 0, buf_text(&text), line);
		} else if (k && number_of(root, key, &u)) {
			nvme_put(&e, k, u, line);
		} else if (keys == nvme_health && nvme_sensor(name) &&
			   number_of(root, key, &u)) {
			nvme_put_celsius(&e, FACT_NVME_SENSOR, nvme_sensor(name), u,
					 line);
		}
		(void)value;
	}
	return emit_done(&e, CAP_DRIVE, "facts/nvme");
}

static int put_list(struct import *im, struct json_object *devices, size_t index)
{
	int n = 0;

	for (size_t i = 0; i < json_object_array_length(devices) && i < NVME_MAX; i++) {
		struct json_object *o = json_object_array_get_idx(devices, i);
		struct nvme_listed d = {
			.device = json_text_string(o, "DevicePath"),
			.serial = json_text_string(o, "SerialNumber"),
			.model = json_text_string(o, "ModelNumber"),
			.firmware = json_text_string(o, "Firmware"),
		};
		int r;

		(void)json_text_number(o, "PhysicalSize", 1, &d.bytes);
		(void)json_text_number(o, "SectorSize", 1, &d.sector);
		if (!d.device)
			continue;
		r = nvme_put_listed(im, &d, index);
		if (r < 0)
			return r;
		n++;
	}
	return n;
}

static bool has(struct json_object *o, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(o, key, &value);
}

/* One of nvme-cli's first names stands in the first lines. */
static bool looks_like_ours(const struct text *t, size_t index)
{
	static const char *const names[] = { "\"critical_warning\"", "\"vid\"",
					     "\"Devices\"" };

	for (size_t i = index; i < t->n && i < index + 3; i++)
		for (size_t k = 0; k < array_size(names); k++)
			if (strstr(t->lines[i].s, names[k]))
				return true;
	return false;
}

static int take_root(struct import *im, struct json_object *root, size_t index,
		     size_t end)
{
	struct json_object *devices = json_text_get(root, "Devices", json_type_array);
	int r = 0;

	if (devices)
		return put_list(im, devices, index);
	if (has(root, "data_units_read") && has(root, "avail_spare"))
		r = put_object(im, root, nvme_health, index, end);
	else if (has(root, "mn") && has(root, "sn") && has(root, "fr"))
		r = put_object(im, root, nvme_controller, index, end);
	else
		return 0;
	return r < 0 ? r : 1;
}

int nvme_read_json(struct import *im, size_t index, unsigned *tries, size_t *ret_end)
{
	struct text *t = im->text;
	size_t end = index + 1;
	struct json_object *root;
	int r = 0;

	*ret_end = index + 1;
	if (*tries >= NVME_TRIES || !looks_like_ours(t, index))
		return 0;
	root = json_text_read(t, index, &end);
	if (json_object_is_type(root, json_type_object))
		r = take_root(im, root, index, end);
	else
		++*tries;
	json_object_put(root);
	for (size_t i = index; r > 0 && i < end; i++)
		text_claim(t, i, LINE_READ, NVME_SECTION);
	if (r > 0)
		*ret_end = end;
	return r;
}
