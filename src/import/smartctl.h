/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside of the importer of smartctl's text (5.0 to 8.0). A text is cut into reports, a report
 * into sections; a section is a row in smart_headings[] that leads to a smart_section, whose
 * function reads one row at a time and claims its lines.
 */
#pragma once

#include "import/import.h"
#include "import/words.h"

/* Parts of a report that occur once: seeing one again means that another report has begun. */
enum smart_part {
	PART_IDENTITY,
	PART_HEALTH,
	PART_GENERAL,
	PART_ATTRIBUTES,
	PART_DIRECTORY,
	PART_ERRORS,	 /* summary error log */
	PART_ERRORS_EXT, /* extended comprehensive error log */
	PART_TESTS,	 /* self-test log */
	PART_TESTS_EXT,	 /* extended self-test log */
	PART_SELECTIVE,
	PART_SCT_STATUS,
	PART_SCT_HISTORY,
	PART_SCT_ERC,
	PART_STATISTICS,
	PART_DEFECTS,
	PART_PHY,
	PART_FARM,
	PART_SCSI,
	PART_SCSI_ERRORS, /* error counter log */
	PART_BACKGROUND,
	PART_SAS,
	PART_NVME, /* health log */
	PART_NVME_POWER,
	PART_NVME_FORMATS,
	PART_NVME_ERRORS,
	PART_COUNT
};

/* SCSI and NVMe reports have other sections than ATA ones. */
enum smart_kind { SMART_UNKNOWN, SMART_ATA, SMART_SCSI, SMART_NVME };

/* How far a report has come; a step back begins the next one. */
enum smart_stage { STAGE_EMPTY, STAGE_COMMAND, STAGE_BANNER, STAGE_IDENTITY, STAGE_DATA };

struct smart;

struct smart_section {
	const char *name; /* as in posted_section[] */
	enum smart_part part;
	/* Read the row at line I: returns how many lines it took, 0 when it is no row of this. */
	size_t (*row)(struct smart *s, size_t i);
	/* Whether LINE is a row whose key was read before in this report; NULL: cannot be told. */
	bool (*is_seen)(const struct smart *s, const char *line);
	/* All fixed words of the section in their order, spaces single: lines in it carry nothing. */
	const char *prose;
};

struct smart_heading {
	const char *text; /* what the line starts with, spaces single */
	const struct smart_section *section;
	/* Reads what stands in the heading itself, as row() above; NULL: nothing does. */
	size_t (*read)(struct smart *s, size_t i);
};

/* In smartctl-sections.c, ended by a row without text. */
extern const struct smart_heading smart_headings[];

/* What stands behind "Key:", in SCSI also behind "Key =". */
struct smart_value {
	const char *s;
	size_t line, lines;
	bool cut; /* the last word may be incomplete */
};

/* Tables of them end with a row without name. */
struct smart_key {
	const char *name;
	enum fact_id id; /* FACT_COUNT: none */
	/* Reads the value; false when it is damaged. NULL: the text is the fact. */
	bool (*read)(struct smart *s, const struct smart_value *v, enum fact_id id);
	bool strong; /* nobody but smartctl writes this key */
};

struct smart_page {
	char item[32];
	uint8_t bytes[512];
};

struct smart {
	struct import *im;
	struct text *text;
	struct emit e;
	struct buf join; /* of smart_join() */
	size_t first;	 /* first line of the text that is not blank */
	size_t reports, left_out;
	int error;

	/* --- the report, cleared by each new one --- */
	enum smart_stage stage;
	enum smart_kind kind;
	const struct smart_section *section;
	size_t section_end; /* the line behind the last row of the section */
	size_t start;	    /* first line of the report */
	size_t echoed;	    /* facts that only tell which command it was */
	bool headless;	    /* a row without its heading: only what is unmistakable */
	size_t rows[PART_COUNT];
	enum smart_part error_part, test_part; /* which of two logs is read */
	bool has_registers;		       /* of this error */
	uint32_t sections, warnings, settings, errors, commands, tests, farm, defects;
	uint32_t posted_lines;
	uint32_t sas_port, sas_phy; /* where the section stands */
	bool has_sas_port, has_sas_phy;
	uint32_t once[(FACT_COUNT + 31) / 32];
	uint32_t attr_seen[256 / 32];
	size_t attr_line[256];
	uint32_t phy_seen[65536 / 32];
	uint32_t stat_seen[65536 / 32];
	uint32_t gpl_seen[256 / 32], log_seen[256 / 32], name_seen[256 / 32];
	uint32_t span_seen[256 / 32];
	uint32_t sensor_seen, power_seen, format_seen, nvme_error_seen[256 / 32];
	const char *posted[PART_COUNT + 2]; /* names in posted_section[] */
	struct smart_page *pages[16];	    /* sectors of a trace */
	size_t n_pages, trace_end;
	uint32_t trace_log; /* of the call that is told last */
	bool has_trace_log;
	uint32_t farm_page;
	char vendor[64]; /* SCSI: the first half of the model */
};

/* Line I, "" behind the end. */
const char *smart_line(const struct smart *s, size_t i);
/* Whether line I is blank, behind the end, or starts something of its own: then no row goes on there. */
bool smart_is_fresh(const struct smart *s, size_t i);
/* N lines from I as one, single spaces between. Borrowed until the next call. */
const char *smart_join(struct smart *s, size_t i, size_t n);
/* The same with nothing between the last two: a terminal wraps through words. */
const char *smart_glue(struct smart *s, size_t i, size_t n);
/* Whether the last word of line I may have lost its end. */
bool smart_is_cut(const struct smart *s, size_t i);
/* Claim N lines from I for the current section. Returns N. */
size_t smart_claim(struct smart *s, size_t i, size_t n, enum line_state state);

/* True the first time in a report. */
bool smart_once(struct smart *s, enum fact_id id);
bool smart_bit(uint32_t *bits, uint32_t i);
bool smart_has_bit(const uint32_t *bits, uint64_t i);

/* Runs of spaces become one, those at both ends go. */
void smart_squeeze(struct buf *b);
/* LEN bytes at TEXT with single blanks, as a fact of line I; nothing when they are blanks only. */
void smart_emit_words(struct smart *s, enum fact_id id, uint32_t key, const char *text,
		      size_t len, size_t i);
/* Whether line I is a piece of the section's fixed words. */
bool smart_is_prose(const struct smart *s, size_t i);

/* Emit unless it is there already; the first stands. */
void smart_u64(struct smart *s, enum fact_id id, uint64_t value, size_t line);
void smart_s64(struct smart *s, enum fact_id id, int64_t value, size_t line);
void smart_text(struct smart *s, enum fact_id id, const char *value, size_t line);
void smart_flag(struct smart *s, enum fact_id id, bool value, size_t line);
/* Text of LEN bytes, trimmed, runs of spaces single. */
void smart_text_len(struct smart *s, enum fact_id id, const char *value, size_t len,
		    size_t line);

/* A sentence of the tool that is kept as it is, with what was wrapped. Returns lines taken. */
size_t smart_warning(struct smart *s, size_t i);
/* The report turns out to be of another kind than ATA. */
void smart_set_kind(struct smart *s, enum smart_kind kind, size_t i);
/* What the report holds, each name once. */
void smart_post(struct smart *s, const char *name, size_t i);
/* Finish the report, and begin the next at line I. */
void smart_end_report(struct smart *s);
void smart_begin_report(struct smart *s, size_t i);
/* Enter SECTION, and a new report if this one has had it. */
void smart_enter(struct smart *s, const struct smart_section *section, size_t i);

/*
 * Take a number whose digits stand in groups, as the poster's locale had them: 512,110,190,592. A
 * group behind a mark has three digits (two in the Indian style, but never the last one).
 */
bool smart_take_grouped(const char **s, uint64_t *ret);
/* The first "6.0 Gb/s" between TEXT and END, in Mbit/s. */
bool smart_get_speed(const char *text, const char *end, uint64_t *ret);

/* smartctl-prefix.c: drop what a log put before every line. */
void smart_cut_prefixes(struct text *t);

/* smartctl-head.c: banner, command echo, START OF ... lines; 0 when it is none of them. */
size_t smart_head(struct smart *s, size_t i);
bool smart_is_head(const char *line);

extern const struct smart_section smart_identity, smart_health, smart_general,
	smart_attributes, smart_directory, smart_errors, smart_errors_ext, smart_tests,
	smart_tests_ext, smart_selective, smart_sct, smart_sct_history, smart_sct_erc,
	smart_statistics, smart_defects, smart_phy, smart_farm;

/* smartctl-trace.c: lines of -r ioctl,2; 0 when it is none */
size_t smart_trace(struct smart *s, size_t i);
/* Put its sectors beside the facts of the report that was added last. */
int smart_add_pages(struct smart *s);

/* smartctl-other.c: lines that only SCSI and NVMe reports have. */
size_t smart_other(struct smart *s, size_t i);
bool smart_is_other_heading(const char *line);
bool smart_is_identity_key(const char *line);

/* smartctl-keys.c: rows of tables of keys. NULL when LINE begins with none of them. */
const struct smart_key *smart_find_key(const struct smart_key *keys, const char *line,
				       const char **ret_value);
/* Read the row at line I: the lines it took, 0 when it has none of these keys. */
size_t smart_take_key(struct smart *s, const struct smart_key *keys, size_t i);
/* A number at V that nothing cut or tore; UNIT stands behind it, "" for the end of the line. */
bool smart_get_count(const struct smart *s, const struct smart_value *v, const char *unit,
		     uint64_t *ret);
/* Readers for such tables. */
bool smart_read_count(struct smart *s, const struct smart_value *v, enum fact_id id);
bool smart_read_percent(struct smart *s, const struct smart_value *v, enum fact_id id);
bool smart_read_celsius(struct smart *s, const struct smart_value *v, enum fact_id id);
bool smart_read_enabled(struct smart *s, const struct smart_value *v, enum fact_id id);
bool smart_read_text(struct smart *s, const struct smart_value *v, enum fact_id id);
bool smart_read_hours(struct smart *s, const struct smart_value *v, enum fact_id id);
bool smart_read_nothing(struct smart *s, const struct smart_value *v, enum fact_id id);
/* The whole line as posted_line[]. */
bool smart_read_line(struct smart *s, const struct smart_value *v, enum fact_id id);
/* "5,23" or "5.23" with PLACES digits behind the mark, as 523. */
bool smart_get_decimal(struct word w, unsigned int places, uint64_t *ret);

extern const struct smart_key smart_scsi_identity[], smart_nvme_identity[];
extern const struct smart_section smart_scsi, smart_scsi_errors, smart_scsi_tests,
	smart_background, smart_sas, smart_nvme, smart_nvme_power, smart_nvme_formats,
	smart_nvme_errors, smart_nvme_tests;
/* Whether LINE is a row of the body of such reports. */
bool smart_is_scsi_key(const char *line);
bool smart_is_nvme_key(const char *line);
bool smart_is_nvme_capability(const char *line);
bool smart_is_nvme_warning(const char *line);
size_t smart_nvme_error_head(struct smart *s, size_t i);
size_t smart_nvme_test_head(struct smart *s, size_t i);
size_t smart_scsi_test_head(struct smart *s, size_t i);
size_t smart_sas_head(struct smart *s, size_t i);

/* The first number of an attribute's raw text. */
struct smart_raw {
	bool known, negative;
	bool whole; /* something behind the number shows its end */
	uint64_t number;
};
struct smart_raw smart_get_raw(const char *text);

/* Headings that are read themselves. */
size_t smart_health_line(struct smart *s, size_t i);
size_t smart_attribute_revision(struct smart *s, size_t i);
size_t smart_error_log(struct smart *s, size_t i);
size_t smart_test_log(struct smart *s, size_t i);
size_t smart_sct_status(struct smart *s, size_t i);
size_t smart_sct_history_head(struct smart *s, size_t i);
