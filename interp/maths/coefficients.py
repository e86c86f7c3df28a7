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
    ('atan_short', 'z', 'The same as atan', odd(mpmath.atan), TINY, mpf('0.1717'), 8),
    ('asin_short', 'z', 'The same as asin', odd(mpmath.asin), TINY, mpf('0.2501'), 9),
    ('erf', 'z', 'erf(s) / s - 1, z = s^2', erf_rest, TINY, mpf('1.001'), 13),
    ('erfc', 't', 'exp(s^2) erfc(s), s = 3 (1 + t) / (1 - t)', erfc_scaled, mpf('-0.501'),
     mpf('0.56'), 20),
]


# Vectors chosen by hand compute these, too.
OF_VECTORS = ('exp', 'atan_short', 'asin_short', 'erf', 'erfc')


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


def print_exp2_form(name, words, high, terms):
    coefficients = mpmath.chebyfit(exp2_rest, [-high, high], terms)
    print(f"""
/* (2^f - 1) / f, for f {words}. FIRST(c) is c, and STEP(y, f, c) is y f + c, of
 * doubles or of vectors of them. */""")
    print(f'#define MATHS_POLY_{name}(FIRST, STEP, f) {horner(coefficients, "f")}')


def power_bits(form, kind, parts, bits, i):
    """The bits of 2^(i / parts) less i 2^bits."""
    power = mpf(2) ** (mpf(i) / parts)
    return struct.unpack(kind, struct.pack(form, float(power)))[0] - (i << bits)


def print_exp2():
    """2^f for f up to 1/32 or 1/4 to both sides as 1 + f p(f), and 2^(i / 16)."""
    print_exp2_form('EXP2', 'from -1/32 to 1/32: within 2^-57 of 2^f', mpf('0.03126'), 6)
    print_exp2_form('EXP2_SHORT', 'from -1/32 to 1/32: within 2^-47 of 2^f', mpf('0.03126'), 5)
    print_exp2_form('EXP2_HALF', 'from -1/4 to 1/4: within 2^-49 of 2^f', mpf('0.2501'), 8)
    print("""
/* By i: the bits of 2^(i / 16) less i 2^48. With n 2^48 more they are those of 2^(n / 16), where i
 * is n modulo 16, because the exponent begins at bit 52. */""")
    bits = [power_bits('<d', '<Q', 16, 48, i) for i in range(16)]
    print_numbers('maths_exp2_whole', 'uint64_t', [f'{b:#018x}' for b in bits])


def single(x):
    """X rounded to the nearest float, as a number."""
    part, exponent = mpmath.frexp(x)
    return mpmath.ldexp(mpmath.nint(mpmath.ldexp(part, 24)), exponent - 24)


def print_exp_single(parts, name, unsure):
    """ln2 / parts as two floats, 2^(i / parts), and exp(r) for r up to ln2 / parts / 2 to both sides."""
    part = mpmath.log(2) / parts
    bits = 23 - parts.bit_length() + 1
    powers = [mpf(2) ** (mpf(i) / parts) for i in range(parts)]
    coefficients = mpmath.chebyfit(exp_single_rest, [-part / 2 * mpf('1.01'), part / 2 * mpf('1.01')], 3)
    coefficients = [float(single(c)).hex() for c in coefficients]
    form = f'FIRST({coefficients[0]}F)'
    for c in coefficients[1:]:
        form = f'STEP({form}, r, {c}F)'
    print(f"""
/* {parts} / ln 2 as a float, ln 2 / {parts} as a sum of two. */
#define MATHS_PER_{name} {float(single(1 / part)).hex()}F
#define MATHS_{name}_HIGH {float(single(part)).hex()}F
#define MATHS_{name}_LOW {float(single(part - single(part))).hex()}F

/* (exp(r) - 1 - r) / r^2, for r up to ln 2 / {2 * parts}. FIRST(c) is c, and STEP(y, r, c) is y r + c, of
 * vectors of floats. The relative error of exp is up to MATHS_UNSURE_{name}. */
#define MATHS_POLY_EXP_{name}(FIRST, STEP, r) {form}
#define MATHS_UNSURE_{name} {float(unsure).hex()}F

/* By i: the bits of the float T nearest to 2^(i / {parts}), less i 2^{bits}, as in maths_exp2_whole;
 * ln(2^(i / {parts}) / T); and that less MATHS_UNSURE_{name}. */""")
    print_numbers(f'maths_exp_{name.lower()}s', 'uint32_t',
                  [f'{power_bits("<f", "<I", parts, bits, i):#010x}' for i in range(parts)])
    left = [mpmath.log(power / single(power)) for power in powers]
    print_numbers(f'maths_exp_{name.lower()}s_left', 'float', [f'{float(x).hex()}F' for x in left])
    print_numbers(f'maths_exp_{name.lower()}s_less', 'float', [f'{float(x - unsure).hex()}F' for x in left])


def erf_share(x):
    return mpmath.erf(x) / x if abs(x) > TINY else 2 / mpmath.sqrt(mp.pi)


def area(x):
    return mpmath.erfc(x / mpmath.sqrt(2)) / 2


def log1p_share(x):
    return mpmath.log1p(x) / x if abs(x) > TINY else mpf(1)


def print_pieces(name, words, function, high, terms):
    per_piece = float(15 / mpf(high))
    pieces = [mpmath.chebyfit(lambda t: function((i + t) / mpf(per_piece)), [-mpf('0.50001'), mpf('0.50001')], terms)
              for i in range(16)]
    print(f"""
/* {words} for x from 0 to {high}, in 16 pieces, the middle of which are i / MATHS_PER_PIECE_{name.upper()}: by the
 * power of f, the highest one first, and by i. f is what x MATHS_PER_PIECE_{name.upper()} is more than i. */
#define MATHS_PER_PIECE_{name.upper()} {per_piece.hex()}
static const double maths_pieces_{name}[{terms}][16] = {{""")
    for k in range(terms):
        print('    {' + ', '.join(float(piece[k]).hex() for piece in pieces) + '},')
    print('};')


print(HEADER, end='')
for polynomial in POLYNOMIALS:
    print_polynomial(*polynomial)
print_exp2()
print_exp_single(16, 'SIXTEENTH', mpmath.ldexp(5, -36))
print_exp_single(32, 'THIRTYSECOND', mpmath.ldexp(6, -38))
print_pieces('erf', 'erf(x) / x', erf_share, '3.95', 9)
print_pieces('area', 'erfc(x / sqrt(2)) / 2', area, '5.5', 12)
print_pieces('area_near', 'The same', area, '4', 9)
print_pieces('log1p', 'log(1 + x) / x', log1p_share, '1', 8)
print_turns()
print('\n#endif')
