/* Parses and checks a row of the table of operations as it is written (ops.def has the grammar).
 * Used by the program that compiles the built-in rows at build time (opgen.c), and by the library
 * for rows of callers (compile.c); so it depends on nothing else of the library. Private to
 * ir/ops/. */
#ifndef INLAY_OPS_ROW_H
#define INLAY_OPS_ROW_H

#include <stdbool.h>
#include <stddef.h>

/* ROLE(name, NAME, what it means): the role of an operand or attribute in its operation. One whose
 * name is that of a role has the role. From start to axes in the order of a Slice's operands. */
#define INLAY_ROW_ROLES(ROLE)                                                                      \
    ROLE(none, NONE, "of no concern to others, whatever its name is")                              \
    ROLE(data, DATA, "the tensor that is read at places, changed or moved")                        \
    ROLE(updates, UPDATES, "what takes the place of elements of data")                             \
    ROLE(start, START, "of a window on data: where it begins,")                                    \
    ROLE(stop, STOP, "where it ends, which is cut to the axis,")                                   \
    ROLE(step, STEP, "how far its positions are apart,")                                           \
    ROLE(axes, AXES, "axes of data; of a window: those that it cuts")                              \
    ROLE(axis, AXIS, "an axis of data")                                                            \
    ROLE(indices, INDICES, "positions along the axis that role axis names")                        \
    ROLE(tuples, TUPLES,                                                                           \
         "positions on the first axes of data, the last dimension being one of "                   \
         "them")                                                                                   \
    ROLE(shape, SHAPE, "the sizes of the result, or of data")                                      \
    ROLE(lengths, LENGTHS, "the sizes of the results along the axis")                              \
    ROLE(repeats, REPEATS, "how often data is repeated along each axis")                           \
    ROLE(count, COUNT, "how many there are to be")                                                 \
    ROLE(order, ORDER, "all axes of data, in another order")                                       \
    ROLE(prefixes, PREFIXES,                                                                       \
         "how many of the first positions along the axis, one or more of them")                    \
    ROLE(batch, BATCH, "how many of the first axes data and indices, or tuples, have in common")   \
    ROLE(position, POSITION, "one more position where indices are")                                \
    ROLE(rising, RISING, "numbers from 0 on, none below the one before it: where parts begin")     \
    ROLE(margins, MARGINS, "how much of the result comes before data along each axis")             \
    ROLE(places, PLACES, "the axes of the result along which those of data lie")                   \
    ROLE(filters, FILTERS, "weights that slide over the axes of data behind the first two")

/* KIND(word, NAME): kinds of attributes; NAME as in INLAY_ATTR_NAME. */
#define INLAY_ROW_KINDS(KIND)                                                                      \
    KIND(bool, BOOL)                                                                               \
    KIND(int, INT)                                                                                 \
    KIND(float, FLOAT)                                                                             \
    KIND(number, NUMBER)                                                                           \
    KIND(string, STRING)                                                                           \
    KIND(enum, ENUM)                                                                               \
    KIND(type, TYPE)                                                                               \
    KIND(ints, INTS)                                                                               \
    KIND(floats, FLOATS)                                                                           \
    KIND(strings, STRINGS)                                                                         \
    KIND(types, TYPES)                                                                             \
    KIND(shape, SHAPE)                                                                             \
    KIND(tensor, TENSOR)                                                                           \
    KIND(variable, VARIABLE)

/* FLAG(word, NAME): flags without a number; NAME as in INLAY_NAME. */
#define INLAY_ROW_FLAGS(FLAG)                                                                      \
    FLAG(strided, STRIDED)                                                                         \
    FLAG(commutes, COMMUTES)                                                                       \
    FLAG(pointwise, POINTWISE)                                                                     \
    FLAG(blocks, BLOCKS)                                                                           \
    FLAG(sink, SINK)                                                                               \
    FLAG(view, VIEW)                                                                               \
    FLAG(effect, EFFECT)                                                                           \
    FLAG(body, HAS_BODY)                                                                           \
    FLAG(scatter, SCATTER)                                                                         \
    FLAG(moves, MOVES)                                                                             \
    FLAG(counts, COUNTS)                                                                           \
    FLAG(adopts, ADOPTS)                                                                           \
    FLAG(reshapes, RESHAPES)                                                                       \
    FLAG(cuts, CUTS)                                                                               \
    FLAG(converts, CONVERTS)                                                                       \
    FLAG(shape_only, SHAPE_ONLY)                                                                   \
    FLAG(fills, FILLS)                                                                             \
    FLAG(repeats, REPEATS)                                                                         \
    FLAG(prepares, PREPARES)                                                                       \
    FLAG(holds, HOLDS)                                                                             \
    FLAG(rows, ROWS)                                                                               \
    FLAG(distinct, DISTINCT)                                                                       \
    FLAG(forms, FORMS)                                                                             \
    FLAG(folds, FOLDS)                                                                             \
    FLAG(single, SINGLE)                                                                           \
    FLAG(adds, ADDS)                                                                               \
    FLAG(deferred, DEFERRED)                                                                       \
    FLAG(chooses, CHOOSES)

/* TYPES(word): names of one element type or of several. */
#define INLAY_ROW_TYPES(TYPES)                                                                     \
    TYPES(any)                                                                                     \
    TYPES(num)                                                                                     \
    TYPES(numb)                                                                                    \
    TYPES(float)                                                                                   \
    TYPES(int)                                                                                     \
    TYPES(signed)                                                                                  \
    TYPES(complex)                                                                                 \
    TYPES(boolean)                                                                                 \
    TYPES(string)                                                                                  \
    TYPES(item)                                                                                    \
    TYPES(f64)                                                                                     \
    TYPES(f32)                                                                                     \
    TYPES(f16)                                                                                     \
    TYPES(bf16)                                                                                    \
    TYPES(f8e4m3)                                                                                  \
    TYPES(f8e5m2)                                                                                  \
    TYPES(f8e4m3fnuz)                                                                              \
    TYPES(f8e5m2fnuz)                                                                              \
    TYPES(f8e8m0)                                                                                  \
    TYPES(f4e2m1)                                                                                  \
    TYPES(nf4)                                                                                     \
    TYPES(i64)                                                                                     \
    TYPES(i32)                                                                                     \
    TYPES(i16)                                                                                     \
    TYPES(i8)                                                                                      \
    TYPES(i4)                                                                                      \
    TYPES(i2)                                                                                      \
    TYPES(u64)                                                                                     \
    TYPES(u32)                                                                                     \
    TYPES(u16)                                                                                     \
    TYPES(u8)                                                                                      \
    TYPES(u4)                                                                                      \
    TYPES(u2)                                                                                      \
    TYPES(u1)

enum { ROW_MAX = 48 }; /* limit on the operands, results, attributes and type variables of a row */

#define ROW_COUNT(name, NAME, text) +1
enum { ROW_ROLES = INLAY_ROW_ROLES(ROW_COUNT) };
#undef ROW_COUNT
#define ROW_COUNT(name, NAME) +1
enum { ROW_KINDS = INLAY_ROW_KINDS(ROW_COUNT), ROW_FLAGS = INLAY_ROW_FLAGS(ROW_COUNT) };
#undef ROW_COUNT

/* A row as written, each part as in OP(...). */
typedef struct row_text {
    const char *type;
    int version;
    const char *opsets, *inputs, *outputs, *attributes, *flags;
} row_text;

/* A part of the written row, not zero-terminated. Absent: length 0. */
typedef struct row_word {
    const char *text;
    int length;
} row_word;

typedef struct row_operand {
    row_word name, types; /* types: "i32|i64", each word one of INLAY_ROW_TYPES */
    int var;              /* -1: no variable */
    bool optional;
    int role; /* index in INLAY_ROW_ROLES */
} row_operand;

typedef struct row_attr {
    row_word name;
    int kind; /* index in INLAY_ROW_KINDS */
    bool required, has_default;
    row_word otherwise; /* the default */
    row_word allowed;   /* of an enum: "numpy|none" */
} row_attr;

typedef struct row {
    row_word set; /* "opset" of "opset8.." */
    int first, last;
    char written[48]; /* "opset8" */
    row_operand in[ROW_MAX], out[ROW_MAX];
    int n_in, min_in, n_out;
    bool variadic_in;
    bool counted_out;    /* the number of outputs is given by count_attr or count_in, or open */
    row_word count_attr; /* "num_splits" */
    int count_in;        /* -1: none */
    row_word type_attr;  /* "output_type" */
    row_attr attrs[ROW_MAX];
    int n_attrs;
    signed char in_of[ROW_ROLES], attr_of[ROW_ROLES]; /* by role; -1: none */
    bool flags[ROW_FLAGS];
    int overwrites, faults; /* -1: none */
} row;

/* Parses TEXT; the words of R point into it. False when it is malformed: WHY (SIZE bytes) says what
 * is wrong. */
bool row_parse(const row_text *text, row *r, char *why, size_t size);
/* Removes the first word, up to SEPARATOR, from *REST. False: there is none. */
bool row_cut(row_word *rest, char separator, row_word *out);
/* Is W equal to TEXT? */
bool row_is(row_word w, const char *text);

#endif
