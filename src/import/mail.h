/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saved mails in the quoted-printable encoding (RFC 2045, 6.7). */
#pragma once

#include "base/buf.h"
#include "base/span.h"

/* What a header line says of the lines below it. */
enum mail_encoding { MAIL_NO_HEADER, MAIL_PLAIN, MAIL_QUOTED_PRINTABLE };

enum mail_encoding mail_get_encoding(struct span line);
/* Whether a text without such a header is encoded all the same: "=3D=3D=3D START OF ..." */
bool mail_is_encoded(struct span text);
/* Append the decoded LINE; true when it goes on in the next one ("=" at its end). */
bool mail_decode_line(struct buf *b, struct span line);
