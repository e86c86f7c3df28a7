/* Element types as formats of buffers. */
#include "py.h"

#include <string.h>

static const char *const formats[INLAY_N_TYPES] = {
    [INLAY_BOOLEAN] = "?",    [INLAY_F64] = "d",    [INLAY_F32] = "f",    [INLAY_F16] = "e",
    [INLAY_BF16] = "H",       [INLAY_F8E4M3] = "B", [INLAY_F8E5M2] = "B", [INLAY_F8E4M3FNUZ] = "B",
    [INLAY_F8E5M2FNUZ] = "B", [INLAY_F8E8M0] = "B", [INLAY_I64] = "l",    [INLAY_I32] = "i",
    [INLAY_I16] = "h",        [INLAY_I8] = "b",     [INLAY_U64] = "L",    [INLAY_U32] = "I",
    [INLAY_U16] = "H",        [INLAY_U8] = "B",     [INLAY_C64] = "Zf",   [INLAY_C128] = "Zd",
};

const char *py_format_of(inlay_type type)
{
    return type > INLAY_DYNAMIC && type < INLAY_N_TYPES ? formats[type] : NULL;
}

/* An integer of SIZE bytes, whatever its letter: those of `long` differ between machines. */
static inlay_type integer(Py_ssize_t size, bool negative)
{
    static const inlay_type with_sign[] = {
        [1] = INLAY_I8, [2] = INLAY_I16, [4] = INLAY_I32, [8] = INLAY_I64};
    static const inlay_type without[] = {
        [1] = INLAY_U8, [2] = INLAY_U16, [4] = INLAY_U32, [8] = INLAY_U64};

    return size < 1 || size > 8 ? INLAY_DYNAMIC : negative ? with_sign[size] : without[size];
}

static inlay_type floating(const char *format)
{
    static const inlay_type types[] = {INLAY_F64, INLAY_F32, INLAY_F16, INLAY_C64, INLAY_C128};

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(format, formats[types[i]]) == 0)
            return types[i];
    }
    return INLAY_DYNAMIC;
}

inlay_type py_type_of(const char *format, Py_ssize_t size, inlay_type wanted)
{
    inlay_type type;

    if (wanted != INLAY_DYNAMIC && !py_format_of(wanted))
        return INLAY_DYNAMIC; /* packed elements, strings */
    format = format ? format : "B";
    format += *format == '@' || *format == '=' || *format == '<';
    if (strcmp(format, "?") == 0)
        return INLAY_BOOLEAN;
    if (!*format || format[1] || !strchr("bhilqnBHILQN", *format))
        return floating(format);
    type = integer(size, strchr("bhilqn", *format) != NULL);
    /* bf16 and f8 come as unsigned integers of their size. */
    if (inlay_type_is_float(wanted) && py_format_of(wanted) &&
        strchr("HB", *py_format_of(wanted)) && type != INLAY_DYNAMIC &&
        strcmp(py_format_of(type), py_format_of(wanted)) == 0)
        return wanted;
    return type;
}

bool py_type_named(PyObject *name, inlay_type *type)
{
    const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;

    if (text && inlay_type_by_name(text, type))
        return true;
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_ValueError, "%R is no element type: \"f32\", \"i64\", ...", name);
    return false;
}
