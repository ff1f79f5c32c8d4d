/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The few functions that exact tests need and libm does not have. Relative error below 1e-10 for
 * arguments up to 10^6 (checked against 40-digit values), and no more than 10^5 steps for any.
 * Source: Abramowitz and Stegun 6.5.29, 6.5.31 (gamma), 26.5.8 (beta); NIST DLMF 8.9, 8.17.
 */
#pragma once

#include <stddef.h>

/* log(n!) and log of the binomial coefficient, for counts up to 2^53. */
double special_log_factorial(double n);
double special_log_choose(double n, double k);

/* Regularised incomplete gamma functions P(a, x) and Q(a, x) = 1 - P, a > 0, x >= 0. */
double special_gamma_p(double a, double x);
double special_gamma_q(double a, double x);

/* Regularised incomplete beta function I_x(a, b), a > 0, b > 0, 0 <= x <= 1. */
double special_beta(double a, double b, double x);

/* P(T > t) of Student's t with DF degrees of freedom (need not be whole); t may be negative. */
double special_student_above(double t, double df);
/* P(F > f) of the F distribution. */
double special_f_above(double f, double df1, double df2);
/* P(Z > z) of the standard normal. */
double special_normal_above(double z);

/*
 * The K-th smallest (0 = least) of N values, in expected linear time; reorders them. N > 0.
 * The median is the mean of the two middle ones for an even N.
 */
double special_select(double *values, size_t n, size_t k);
double special_median(double *values, size_t n);
