/* The meanings of operations on numbers, in the solver's theories of bit-vectors and of
 * floating-point numbers. Private to passes/prove. */
#ifndef INLAY_PASSES_PROVE_MEANING_H
#define INLAY_PASSES_PROVE_MEANING_H

#include "ir/shared.h"

typedef enum number_class {
    NUMBER_FLOAT,
    NUMBER_SIGNED,
    NUMBER_UNSIGNED,
    NUMBER_BOOLEAN,
    NUMBER_STRING, /* not a number; strings are only compared */
    NUMBER_CLASSES
} number_class;

/* Whether an operation is exact for floats that are integers, as long as its result is an integer
 * that their type can represent. */
typedef enum meaning_exactness {
    MEANING_ROUNDED,      /* not known */
    MEANING_EXACT,        /* it is; the result has no more bits than the operands */
    MEANING_EXACT_SUM,    /* it is; the result may have one bit more */
    MEANING_EXACT_PRODUCT /* it is for numbers >= 0; the result has the bits of both together */
} meaning_exactness;

/* An operation whose attribute ATTR is VALUE ("true" or "false" for a boolean; NULL: it has only
 * one form). A formula is in terms of the operands a, b and further attributes, all of one type,
 * whose class selects the formula; NULL: the result is some function of them. In a formula @0, @1
 * and @- are 0, 1 and -1 of that type, @s is its sort and @t its name. */
typedef struct meaning {
    const char *type, *attr, *value;
    const char *formula[NUMBER_CLASSES];
    const char *fault[NUMBER_CLASSES];   /* when the operation fails; NULL: never */
    const char *declare[NUMBER_CLASSES]; /* functions that the formulas call, in whole lines */
    bool wide; /* floats narrower than f32 are computed as f32 and rounded once */
    meaning_exactness exact;
    const char *exactly; /* the formula for such integers, if it is not that of signed integers */
} meaning;

/* The first form of the operation TYPE; other forms of it follow. NULL: it has no meaning. */
const meaning *meaning_of(const char *type);
/* The result of a scatter with this reduction, from the element a that is there and the total b of
 * the updates of the place. NULL: not known. */
const meaning *meaning_of_scattered(const char *reduction);
/* All meanings; the last has no type. */
const meaning *meaning_all(void);

/* Floats of at most 8 bits, some of which IEEE 754 does not define, are represented by f32: the
 * function near_TYPE, a table of all of them, rounds a result to the nearest one. */
bool meaning_is_narrow(inlay_type type);
void meaning_declare_nearest(inlay_strbuf *out, inlay_type type);

/* The types for which laws of numbers are asked; of numbers, and of all elements. */
inlay_type_set meaning_types(void);
inlay_type_set meaning_all_types(void);
inlay_type_set number_class_types(number_class cls);
bool meaning_class(inlay_type type, number_class *out);
void meaning_sort(inlay_strbuf *out, inlay_type type);
/* X as an element of TYPE. False: TYPE has no such number. */
bool meaning_literal(inlay_strbuf *out, inlay_type type, double x);
/* FORM with @0, @s and the others replaced for TYPE. */
void meaning_write(inlay_strbuf *out, const char *form, inlay_type type);
/* The text of a term. */
typedef struct meaning_operand {
    const char *text;
    inlay_type type;
} meaning_operand;

/* FORM of M, applied to N terms, the first of which is an operand, as an element of RESULT. */
void meaning_apply(inlay_strbuf *out, const meaning *m, const char *form, inlay_type result,
                   const meaning_operand *operands, int n);
/* The type in which M computes floats of TYPE. */
inlay_type meaning_computed(const meaning *m, inlay_type type);
/* Convert of X, the name of a term of type FROM, to TO. Between floats and integers it is an
 * unknown function of the number. */
void meaning_convert(inlay_strbuf *out, const char *x, inlay_type from, inlay_type to);
/* It is an unknown function between these types, too: from wider floats to those of 8 bits and
 * less. / */
bool meaning_is_shrunk(inlay_type from, inlay_type to);
/* Declares these unknown functions. */
void meaning_declare_conversions(inlay_strbuf *out, inlay_type to);

#endif
