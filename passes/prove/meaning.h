/* What operations on numbers mean, in the solver's theories of bit-vectors and of floating-point
 * numbers. Private to passes/prove.
 */
#ifndef INLAY_PASSES_PROVE_MEANING_H
#define INLAY_PASSES_PROVE_MEANING_H

#include "ir/shared.h"

typedef enum number_class {
    NUMBER_FLOAT,
    NUMBER_SIGNED,
    NUMBER_UNSIGNED,
    NUMBER_BOOLEAN,
    NUMBER_STRING, /* no number: all that is done with strings is that two are compared */
    NUMBER_CLASSES
} number_class;

/* What an operation makes of floats that are integers, if their type holds what it makes of these
 * integers: nothing is told; that; of one bit more; of the bits of both, of numbers that are not
 * below 0, so that none is -0. */
typedef enum meaning_exactness {
    MEANING_ROUNDED,
    MEANING_EXACT,
    MEANING_EXACT_SUM,
    MEANING_EXACT_PRODUCT
} meaning_exactness;

/* An operation, in the form that it has where its attribute ATTR is VALUE ("true" and "false" for
 * booleans; NULL: it has one form). A formula is about the operands a, b and what attributes follow
 * them, of one type, whose class chooses the formula; NULL: nothing is known of the result but that
 * it is a function. In a formula @0, @1 and @- are 0, 1 and -1 of that type, @s is its sort and @t
 * its name. */
typedef struct meaning {
    const char *type, *attr, *value;
    const char *formula[NUMBER_CLASSES];
    const char *fault[NUMBER_CLASSES];   /* when the operation fails; NULL: never */
    const char *declare[NUMBER_CLASSES]; /* functions that the formulas call, in whole lines */
    bool wide; /* floats narrower than f32 are computed as f32 and rounded once */
    meaning_exactness exact;
    const char *exactly; /* the formula for such integers, where it is not that of signed ones */
} meaning;

/* The first form of the operation of this name; more follow while the name is the same. NULL: it
 * has none. */
const meaning *meaning_of(const char *type);
/* What a scatter with this reduction makes of what is there, a, and of what the updates of the
 * place make together, b. NULL: nothing is known of it. */
const meaning *meaning_of_scattered(const char *reduction);
/* All of them; the last has no type. */
const meaning *meaning_all(void);

/* Floats of 8 bits and less, of which some are not as IEEE 754 has them, are those f32 that they
 * are: what is computed of them is rounded to one of them by the function near_TYPE, all of which
 * is written out. */
bool meaning_is_narrow(inlay_type type);
void meaning_declare_nearest(inlay_strbuf *out, inlay_type type);

/* The types that numbers are asked about: a bit for each. And those of all elements that are. */
inlay_type_set meaning_types(void);
inlay_type_set meaning_all_types(void);
inlay_type_set number_class_types(number_class cls);
bool meaning_class(inlay_type type, number_class *out);
void meaning_sort(inlay_strbuf *out, inlay_type type);
/* X as an element of TYPE. False: TYPE has no such number. */
bool meaning_literal(inlay_strbuf *out, inlay_type type, double x);
/* FORM with its words for numbers of TYPE put in. */
void meaning_write(inlay_strbuf *out, const char *form, inlay_type type);
/* A term by its text. */
typedef struct meaning_operand {
    const char *text;
    inlay_type type;
} meaning_operand;

/* FORM of M applied to N operands, of which the first is an operand of the operation, as an element
 * of RESULT. */
void meaning_apply(inlay_strbuf *out, const meaning *m, const char *form, inlay_type result,
                   const meaning_operand *operands, int n);
/* The type in which M computes floats of TYPE. */
inlay_type meaning_computed(const meaning *m, inlay_type type);
/* X, of type FROM, as an element of TO, as Convert makes it; X is the name of a term. Of what
 * becomes of floats as integers and of integers as floats nothing is known but that it is a
 * function of the number. */
void meaning_convert(inlay_strbuf *out, const char *x, inlay_type from, inlay_type to);
/* So is what becomes of these floats, of more bits, as floats of 8 bits and less: it is a function
 * of the number that is not told. */
bool meaning_is_shrunk(inlay_type from, inlay_type to);
/* These functions. */
void meaning_declare_conversions(inlay_strbuf *out, inlay_type to);

#endif
