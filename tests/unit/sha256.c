/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The examples of FIPS 180-4, and the empty message. */
#include "unit.h"

#include "base/buf.h"
#include "base/sha256.h"

static void sha_is(struct sha256 *h, const char *hex)
{
	uint8_t digest[SHA256_BYTES];
	struct buf out = { 0 };

	sha256_finish(h, digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		buf_printf(&out, "%02x", digest[i]);
	assert_string_equal(buf_text(&out), hex);
	buf_done(&out);
}

static void sha256_examples(void **state)
{
	static const struct {
		const char *text, *hex;
	} rows[] = {
		{ "",
		  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
		{ "abc",
		  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
		{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
		{ "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
		  "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
		  "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1" },
	};
	struct sha256 h;

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		sha256_init(&h);
		sha256_add(&h, span_of_text(rows[i].text));
		sha_is(&h, rows[i].hex);
	}
	/* a million times "a", in pieces that straddle the blocks */
	sha256_init(&h);
	for (size_t i = 0; i < 1000000 / 50; i++)
		sha256_add(&h,
			   span_of_text(
				   "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
	sha_is(&h, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sha256_examples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
