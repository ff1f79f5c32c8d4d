/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/mail.h"

#include <string.h>
#include <strings.h>

static const char header[] = "Content-Transfer-Encoding:";
static const char name[] = "quoted-printable";

enum mail_encoding mail_get_encoding(struct span line)
{
	const char *s = (const char *)line.data;
	size_t at = strlen(header);

	if (line.len < at || strncasecmp(s, header, at) != 0)
		return MAIL_NO_HEADER;
	while (at < line.len && s[at] == ' ')
		at++;
	return line.len - at >= strlen(name) &&
			       strncasecmp(s + at, name, strlen(name)) == 0
		       ? MAIL_QUOTED_PRINTABLE
		       : MAIL_PLAIN;
}

bool mail_is_encoded(struct span text)
{
	static const char mark[] = "=3D=3D=3D START OF ";

	return text.len && memmem(text.data, text.len, mark, strlen(mark));
}

static int hex_digit(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

bool mail_decode_line(struct buf *b, struct span line)
{
	size_t len = line.len;
	bool goes_on;

	while (len && line.data[len - 1] == ' ')
		len--;
	goes_on = len && line.data[len - 1] == '=';
	len -= goes_on;
	for (size_t i = 0; i < len; i++) {
		int high = -1, low = -1;

		if (line.data[i] == '=' && len - i >= 3) {
			high = hex_digit(line.data[i + 1]);
			low = hex_digit(line.data[i + 2]);
		}
		if (high < 0 || low < 0) {
			buf_add(b, line.data + i, 1);
			continue;
		}
		buf_putc(b, (char)(high * 16 + low));
		i += 2;
	}
	return goes_on;
}
