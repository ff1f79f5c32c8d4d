/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "config.h"

int main(void)
{
	(void)puts(PACKAGE_STRING);
	return 0;
}
