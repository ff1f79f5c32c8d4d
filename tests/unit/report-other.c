/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A SAS and an NVMe drive: tables that no ATA drive has. */
#include "report-build.h"

static void add_sas_facts(struct fixture *f, struct drive *d)
{
	fx_text(f, d, FACT_DEVICE, "/dev/sdk");
	fx_text(f, d, FACT_BUS, "sas");
	fx_u64(f, d, FACT_GROWN_DEFECTS, 417);
	fx_text_at(f, d, FACT_SAS_ATTACHED, 1, 0, "expander device");
	fx_u64_at(f, d, FACT_SAS_PORT_RATE, 1, 0, 6000);
	fx_u64_at(f, d, FACT_SAS_PORT_INVALID_DWORDS, 1, 0, 3102);
	fx_u64_at(f, d, FACT_SAS_PORT_DISPARITY, 1, 0, 2988);
	fx_u64_at(f, d, FACT_SAS_PORT_LOSS_OF_SYNC, 1, 0, 12);
	fx_u64_at(f, d, FACT_SAS_PORT_RESET_PROBLEMS, 1, 0, 1);
	/* a port of which only a counter is known */
	fx_u64_at(f, d, FACT_SAS_PORT_INVALID_DWORDS, 2, 1, 0);
	fx_u64_at(f, d, FACT_SAS_EVENT, 1, 6, 7);
	fx_u64_at(f, d, FACT_SCSI_ERR_FAST, 3, 0, 2242530123);
	fx_u64_at(f, d, FACT_SCSI_ERR_UNCORRECTED, 3, 0, 21);
	fx_u64_at(f, d, FACT_SCSI_ERR_UNCORRECTED, 2, 0, 0);
	fx_u64_at(f, d, FACT_BMS_MINUTES, 1, 0, 2580067);
	fx_u64_at(f, d, FACT_BMS_LBA, 1, 0, 1715004);
	fx_text_at(f, d, FACT_BMS_SENSE, 1, 0, "3,11,0");
	fx_text_at(f, d, FACT_BMS_REASSIGN, 1, 0, "Recovered via rewrite in-place");
	fx_text_at(f, d, FACT_SELFTEST_TYPE, 0, 0, "Background long");
	fx_text_at(f, d, FACT_SELFTEST_SENSE, 0, 0, "0x3 0x11 0x0");
	fx_text_at(f, d, FACT_POSTED_LINE, 0, 0, "Relative humidity = \x1b[2J5");
}

static void add_nvme_facts(struct fixture *f, struct drive *d)
{
	fx_text(f, d, FACT_DEVICE, "/dev/nvme0");
	fx_text(f, d, FACT_BUS, "nvme");
	fx_u64(f, d, FACT_NVME_WARNING, 5);
	fx_u64(f, d, FACT_NVME_SPARE, 4);
	fx_s64_at(f, d, FACT_NVME_SENSOR, 1, 0, 41);
	fx_s64_at(f, d, FACT_NVME_SENSOR, 2, 0, -3);
	fx_u64_at(f, d, FACT_NVME_ERR_COUNT, 0, 0, 1204);
	fx_u64_at(f, d, FACT_NVME_ERR_STATUS, 0, 0, 16388);
	fx_text_at(f, d, FACT_NVME_ERR_MESSAGE, 0, 0, "Invalid Field in Command");
	fx_u64_at(f, d, FACT_NVME_NS_SIZE, 1, 0, 1024209543168);
	fx_u64_at(f, d, FACT_NVME_NS_LBA, 1, 0, 512);
	fx_u64_at(f, d, FACT_NVME_LBAF_DATA, 0, 0, 512);
	fx_u64_at(f, d, FACT_NVME_LBAF_USED, 0, 0, 1);
	fx_u64_at(f, d, FACT_NVME_PS_MAX, 4, 0, 5000);
	fx_u64_at(f, d, FACT_NVME_PS_OPERATES, 4, 0, 0);
	fx_u64_at(f, d, FACT_NVME_PS_EXIT, 4, 0, 9500);
	fx_text_at(f, d, FACT_NVME_PS_RANKS, 4, 0, "4 4 4 4");
}

void build_other(struct fixture *f)
{
	struct drive_report *d = fx_add_drive(f);
	struct finding *v;

	fx_name_drive(f, "ACME SAS8000", "EX08", "TEST0000008", 8001563222016, 7200,
		      43210);
	add_sas_facts(f, fx_last_drive(f));
	v = fx_add_finding(f, d, CODE_S07, SEVERITY_WARNING, CONFIDENCE_STRONG,
			   "21 reads could not be corrected.");
	fx_add_text(f, &v->next, "Back up now.");
	d = fx_add_drive(f);
	fx_name_drive(f, "ACME NVME 1024", "EX09", "TEST0000009", 1024209543168, 0,
		      10042);
	add_nvme_facts(f, fx_last_drive(f));
	v = fx_add_finding(f, d, CODE_D01, SEVERITY_CRITICAL, CONFIDENCE_CERTAIN,
			   "The spare blocks are used up.");
	fx_add_text(f, &v->next, "Back up now.");
}
