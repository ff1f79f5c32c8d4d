/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/check.h"

/* In the order of enum change_kind. The ids are random numbers drawn once: never change one. */
static const struct {
	const char *name, *message_id;
} kinds[] = {
	/* clang-format off */
	{ "new", "6299ac3d86de0619930af7e8467ba0d6" },
	{ "gone", "aa9a9fb0d113ffec00320e7752d27c96" },
	{ "back", "0adba3105b01165e8232c2b6559acb6a" },
	{ "moved", "35d755919aaf7bd6af377316173d7679" },
	{ "firmware", "41bca4a88e0e5d94d4c097df3a7d93d1" },
	{ "rise", "799a168f626b69634eb5a2a135c84276" },
	{ "found", "565d9f643328bb593992f31467c4d413" },
	{ "worse", "d0d35100988673271be5f78e26dc79ee" },
	{ "healed", "55de1212c6c017feee24834d02c0ac8a" },
	{ "slower", "b45e76e1687c5d896be7a19decaa3cd3" },
	{ "faster", "fd04241c1c086df6de47d1e6ae1d2f94" },
	{ "unreadable", "8361fe91d23bf080c662136ccb3d49ac" },
	{ "readable", "e596b8e8e30df34b89a17ecfa22cbd53" },
	{ "apart", "b192631afd50bec76043e9b909cbebb9" },
	{ "grew", "0fd010c9831fef782b9f3fd8a5ac6267" },
	{ "remind", "5f17e47b2e094fae29e075a52b6acc92" },
	{ "well", "bb0ef24081a5af9c8bd10431fb33e657" },
	{ "log", "146f927a61a145ea4822a69766922ec4" },
	{ "clock", "d9ca95869f40256e179d5fdafebac271" },
	{ "hot", "79e763619f17e904ba8cbb8fdccf049a" },
	/* clang-format on */
};

_Static_assert(array_size(kinds) == CHANGE_KINDS, "a row for each kind");

const char *change_name(enum change_kind kind)
{
	return kinds[kind].name;
}

const char *change_message_id(enum change_kind kind)
{
	return kinds[kind].message_id;
}

const char *check_state_name(enum check_state state)
{
	static const char *const names[] = {
		[CHECK_READ] = "read",
		[CHECK_ASLEEP] = "asleep",
		[CHECK_UNREADABLE] = "unreadable",
		[CHECK_GONE] = "gone",
	};

	return names[state];
}

enum severity check_worst(const struct check_report *r)
{
	enum severity worst = SEVERITY_OK;

	for (size_t i = 0; i < r->n_drives; i++)
		if (r->drives[i].severity > worst)
			worst = r->drives[i].severity;
	return worst;
}

void check_done(struct check_report *r)
{
	arena_done(&r->arena);
	*r = (struct check_report){ 0 };
}
