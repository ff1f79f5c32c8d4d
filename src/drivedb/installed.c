/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files of an installed smartmontools there are, and when they are read. */
#include <errno.h>

#include "base/str.h"
#include "drivedb/drivedb-h.h"
#include "drivedb/drivedb-private.h"

void drivedb_set_installed(struct drivedb *db,
			   void (*load)(struct db_installed *files, void *context),
			   void *context)
{
	db->installed->load = load;
	db->installed->context = context;
	db->installed->loaded = false;
}

int db_installed_add(struct db_installed *files, struct span text, const char *name)
{
	struct smart_file f = { .name = arena_strdup(&files->arena, name) };
	const char *copy =
		arena_strndup(&files->arena, (const char *)text.data, text.len);
	struct smart_file *slot;

	if (!f.name || !copy)
		return -ENOMEM;
	f.text = span_of(copy, text.len);
	slot = arena_push(&files->arena, &files->files, &files->n, &files->cap,
			  sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	*slot = f;
	return 0;
}

int drivedb_add_installed(struct drivedb *db, struct span text, const char *name)
{
	return db_installed_add(db->installed, text, name);
}

void drivedb_want_installed(struct drivedb *db)
{
	db->installed->wanted = true;
}

bool drivedb_wants_installed(const struct drivedb *db)
{
	return db->installed->wanted;
}

int drivedb_match_installed(const struct drivedb *db, const struct drive_id *id,
			    int solid, struct diag *d, struct db_match *ret)
{
	struct db_installed *files = db->installed;
	bool ata = !id->bus || str_equal(id->bus, "ata") || str_equal(id->bus, "sata");

	if (!files->loaded && files->load)
		files->load(files, files->context);
	files->loaded = true;
	if (!ata) {
		*ret = (struct db_match){ 0 };
		return 0;
	}
	return smart_files_match(files->files, files->n, id, solid, d, ret);
}
