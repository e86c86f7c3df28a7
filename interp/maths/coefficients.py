#!/usr/bin/python3
"""Prints coefficients.h: polynomials of interp/maths, fitted at Chebyshev nodes. Needs mpmath.

usage: /usr/bin/python3 interp/maths/coefficients.py > interp/maths/coefficients.h
"""
import struct

import mpmath
from mpmath import mp, mpf

mp.prec = 400

HEADER = """\
/* Polynomials in double precision. Made by coefficients.py; private to interp/maths/.
 *
 * Each comment gives the approximated function, its range, and the largest error there. In macros,
 * which also work on vectors, FIRST(c) is c, and STEP(y, x, c) is y x + c.
 */
#ifndef INLAY_MATHS_COEFFICIENTS_H
#define INLAY_MATHS_COEFFICIENTS_H

#include <stdint.h>
"""


def odd(function):
    """(function(s) - s) / s^3 over z = s^2, where function(s) = s + c s^3 + ..."""
    def rest(z):
        s = mpmath.sqrt(z)
        return (function(s) - s) / s ** 3
    return rest


def exp_rest(r):
    return (mpmath.exp(r) - 1 - r - r * r / 2) / r ** 3 if r else mpf(1) / 6


def exp_single_rest(r):
    return (mpmath.expm1(r) - r) / r ** 2 if abs(r) > TINY else mpf(1) / 2


def exp2_rest(f):
    return mpmath.expm1(f * mpmath.log(2)) / f if f else mpmath.log(2)


def log_rest(z):
    s = mpmath.sqrt(z)
    return (2 * mpmath.atanh(s) - 2 * s) / s ** 3


def cos_rest(z):
    return (mpmath.cos(mpmath.sqrt(z)) - 1 + z / 2) / z ** 2


def erf_rest(z):
    s = mpmath.sqrt(z)
    return mpmath.erf(s) / s - 1


def erfc_scaled(t):
    s = 3 * (1 + t) / (1 - t)
    return mpmath.exp(s * s) * mpmath.erfc(s)


TINY = mpf('1e-40')
POLYNOMIALS = [
    ('exp', 'r', '(exp(r) - 1 - r - r^2 / 2) / r^3', exp_rest, -mpf('0.34661'), mpf('0.34661'), 11),
    ('log', 'z', '(2 atanh(s) - 2 s) / s^3, z = s^2', log_rest, TINY, mpf('0.02945'), 9),
    ('sin', 'z', '(sin(r) - r) / r^3, z = r^2', odd(mpmath.sin), TINY, mpf('0.618'), 7),
    ('cos', 'z', '(cos(r) - 1 + z / 2) / z^2, z = r^2', cos_rest, TINY, mpf('0.618'), 7),
    ('atan', 'z', '(atan(t) - t) / t^3, z = t^2', odd(mpmath.atan), TINY, mpf('0.1717'), 13),
    ('asin', 'z', '(asin(s) - s) / s^3, z = s^2', odd(mpmath.asin), TINY, mpf('0.2501'), 15),
    ('erf', 'z', 'erf(s) / s - 1, z = s^2', erf_rest, TINY, mpf('1.001'), 13),
    ('erfc', 't', 'exp(s^2) erfc(s), s = 3 (1 + t) / (1 - t)', erfc_scaled, mpf('-0.501'),
     mpf('0.56'), 20),
]


# Vectors chosen by hand compute these, too.
OF_VECTORS = ('exp', 'erf', 'erfc')


def horner(coefficients, x):
    """A polynomial as an expression of FIRST(c), which is c, and STEP(y, x, c), y x + c."""
    form = f'FIRST({float(coefficients[0]).hex()})'
    for c in coefficients[1:]:
        form = f'STEP({form}, {x}, {float(c).hex()})'
    return form


def print_polynomial(name, x, words, function, low, high, terms):
    coefficients, error = mpmath.chebyfit(function, [low, high], terms, error=True)
    bits = int(mpmath.floor(-mpmath.log(error, 2)))
    print(f'\n/* {words}, for {x} from {mpmath.nstr(low, 4)} to {mpmath.nstr(high, 4)}: '
          f'within 2^-{bits}. */')
    if name in OF_VECTORS:
        print(f'#define MATHS_POLY_{name.upper()}(FIRST, STEP, {x}) {horner(coefficients, x)}')
        return
    print(f'static inline double maths_poly_{name}(double {x})\n{{')
    print(f'    double y = {float(coefficients[0]).hex()};\n')
    for c in coefficients[1:]:
        c = float(c)
        print(f'    y = y * {x} {"-" if c < 0 else "+"} {abs(c).hex()};')
    print('    return y;\n}')


def cut(x, bits):
    """Returns the multiples of 2^-bits in x, and what is left."""
    whole = mpmath.floor(mpmath.ldexp(x, bits))
    part = mpmath.ldexp(whole, -bits)
    return part, x - part


def print_turns():
    """2 / pi times 2^k modulo 4, for a float of 24 bits whose last bit is worth 2^k, k = -24 .. 104."""
    print("""
/* 2 / pi times 2^(row - 24), modulo 4, as a sum of three numbers: multiples of 2^-26, multiples of
 * 2^-54, and the rest. The first two have 28 bits, so that their products with 24 bits are exact. */
static const double maths_turns[129][3] = {""")
    for k in range(-24, 105):
        first, rest = cut(mpmath.ldexp(2 / mp.pi, k) % 4, 26)
        second, rest = cut(rest, 54)
        print('    {' + ', '.join(float(c).hex() for c in (first, second, rest)) + '},')
    print('};')


def print_numbers(name, kind, numbers):
    print(f'static const {kind} {name}[{len(numbers)}] = {{')
    for number in numbers:
        print(f'    {number},')
    print('};')


def print_exp2():
    """2^f for f up to 1/32 to both sides as 1 + f p(f), and 2^(i / 16)."""
    coefficients = mpmath.chebyfit(exp2_rest, [-mpf('0.03126'), mpf('0.03126')], 6)
    form = horner(coefficients, 'f')
    print("""
/* (2^f - 1) / f, for f from -1/32 to 1/32: within 2^-57 of 2^f. FIRST(c) is c, and STEP(y, f, c) is
 * y f + c, of doubles or of vectors of them. */""")
    print(f'#define MATHS_POLY_EXP2(FIRST, STEP, f) {form}')
    print("""
/* By i: the bits of 2^(i / 16) less i 2^48. With n 2^48 more they are those of 2^(n / 16), where i
 * is n modulo 16, because the exponent begins at bit 52. */""")
    bits = [struct.unpack('<Q', struct.pack('<d', float(mpf(2) ** (mpf(i) / 16))))[0] for i in range(16)]
    print_numbers('maths_exp2_whole', 'uint64_t', [f'{b - (i << 48):#018x}' for i, b in enumerate(bits)])


def single(x):
    """X rounded to the nearest float, as a number."""
    part, exponent = mpmath.frexp(x)
    return mpmath.ldexp(mpmath.nint(mpmath.ldexp(part, 24)), exponent - 24)


def print_exp_single():
    """ln2 / 8 as two floats, 2^(i / 8), and exp(r) for r up to ln2 / 16 to both sides."""
    eighth = mpmath.log(2) / 8
    unsure = mpmath.ldexp(5, -24)
    powers = [mpf(2) ** (mpf(i) / 8) for i in range(8)]
    bits = [struct.unpack('<I', struct.pack('<f', float(single(power))))[0] for power in powers]
    coefficients = mpmath.chebyfit(exp_single_rest, [-mpf('0.0437'), mpf('0.0437')], 4)
    coefficients = [float(single(c * (1 - unsure))).hex() for c in coefficients]
    form = f'FIRST({coefficients[0]}F)'
    for c in coefficients[1:]:
        form = f'STEP({form}, r, {c}F)'
    print(f"""
/* 8 / ln 2 as a float, ln 2 / 8 as a sum of two, and the relative error of s (exp_avx2.h). */
#define MATHS_EIGHTHS {float(single(1 / eighth)).hex()}F
#define MATHS_EIGHTH_HIGH {float(single(eighth)).hex()}F
#define MATHS_EIGHTH_LOW {float(single(eighth - single(eighth))).hex()}F
#define MATHS_EXP_UNSURE {float(unsure).hex()}F

/* (exp(r) - 1 - r) / r^2 (1 - MATHS_EXP_UNSURE), for r up to 0.0437. FIRST(c) is c, and STEP(y, r,
 * c) is y r + c, of vectors of floats. */
#define MATHS_POLY_EXP_SINGLE(FIRST, STEP, r) {form}

/* By i: the bits of the float T nearest to 2^(i / 8), less i 2^20, as in maths_exp2_whole; and
 * ln(2^(i / 8) / T). */""")
    print_numbers('maths_exp_eighths', 'uint32_t', [f'{b - (i << 20):#010x}' for i, b in enumerate(bits)])
    print_numbers('maths_exp_eighths_left', 'float',
                  [f'{float(mpmath.log(power / single(power))).hex()}F' for power in powers])


print(HEADER, end='')
for polynomial in POLYNOMIALS:
    print_polynomial(*polynomial)
print_exp2()
print_exp_single()
print_turns()
print('\n#endif')
