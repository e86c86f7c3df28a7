/* The scatter family: the examples of the documents (a comment says where one of them is wrong),
 * indices at the ends of their axes, duplicates, reductions, every message. */
#include "op_forms.h"
#include "unit.h"

#include "interp/interp.h"

static void check(const char *op, const char *version, const char *attrs, const char *const *in,
                  const char *want)
{
    check_forms(op, version, attrs, in, RESULTS(want));
}

#define SU(want, ...) check("ScatterUpdate", "opset3", NULL, OPERANDS(__VA_ARGS__), want)

static void scatter_update_examples(void **state)
{
    const char *const data = "f32[3,5] -1 1 -1 3 4 -1 6 -1 8 9 -1 11 1 13 14";
    const char *const updates = "f32[3,2] 1 1 1 1 1 2";
    const char *const want = "f32[3,5] 1 1 1 3 4 1 6 1 8 9 1 11 2 13 14";

    SU(want, data, "i32[2] 0 2", updates, "i32[1] 1");
    SU(want, data, "i64[2] 0 2", updates, "i64[] -1");
    /* 0-D: data[1] = updates; N-D: two indices in a column of a matrix of indices */
    SU("i32[3,2] 0 1 8 9 4 5", "i32[3,2] iota", "i32[] 1", "i32[2] 8 9", "i32[] 0");
    SU("i32[3,2] 8 9 2 3 6 7", "i32[3,2] iota", "i32[2,1] 2 0", "i32[2,1,2] 6 7 8 9", "i32[] 0");
    SU("i32[2,2] 5 1 6 3", "i32[2,2] iota", "i32[1,1] 0", "i32[2,1,1] 5 6", "i32[] 1");
    SU("i32[2] 0 1", "i32[2] iota", "i32[0]", "i32[0]", "i32[] 0");
    SU("i32[0,2]", "i32[0,2]", "i32[0]", "i32[0,2]", "i32[] 0");
    /* duplicates: the document leaves the order open, here the last one wins */
    SU("i32[2] 0 9", "i32[2] iota", "i32[3] 1 1 1", "i32[3] 7 8 9", "i32[] 0");
    SU("u4[3] 9 1 8", "u4[3] 0 1 2", "i32[2] 2 0", "u4[2] 8 9", "i32[] 0");
}

static void scatter_update_messages(void **state)
{
    const char *const data = "i32[2,3] iota";

    SU("error: indices[1] is 3, axis 1 has 3 elements", data, "i32[2] 0 3", "i32[2,2] 1 2 3 4",
       "i32[] 1");
    SU("error: indices[1,0] is -1, axis 0 has 2 elements and negative indices are not allowed",
       data, "i32[2,1] 0 -1", "i32[2,1,3] iota", "i32[] 0");
    SU("error: indices is 2, axis 0 has 2 elements", data, "i32[] 2", "i32[3] 1 2 3", "i32[] 0");
    SU("error: indices[0] is 18446744073709551615, axis 0 has 2 elements", data,
       "u64[1] 18446744073709551615", "i32[1,3] iota", "i32[] 0");
    SU("error: axis is 2, it must be in [-2, 1]", data, "i32[] 0", "i32[3] iota", "i32[] 2");
    SU("error: axis is -3, it must be in [-2, 1]", data, "i32[] 0", "i32[3] iota", "i32[] -3");
    SU("error: input 3 \"axis\" has shape [2], it must have one element", data, "i32[] 0",
       "i32[3] iota", "i32[2] 0 1");
    SU("error: input 2 \"updates\" has shape [3], it must have rank 2", data, "i32[1] 0",
       "i32[3] iota", "i32[] 0");
    SU("error: axis 1", data, "i32[1] 0", "i32[1,2] iota", "i32[] 0");
    SU("error: input 0 \"data\" has shape [], it must have rank 1 or more", "i32[] 1", "i32[] 0",
       "i32[] 1", "i32[] 0");
    check_rule("ScatterUpdate", "opset3", NULL,
               OPERANDS("boolean[2]", "i32[1]", "boolean[1]", "i32[] 0"),
               "error: input 0 \"data\"");
    check_rule("ScatterUpdate", "opset3", NULL, OPERANDS("f32[2]", "f32[1]", "f32[1]", "i32[] 0"),
               "error: input 1 \"indices\"");
    check_rule("ScatterUpdate", "opset3", NULL, OPERANDS("f32[2]", "i32[1]", "f16[1]", "i32[] 0"),
               "error: input 2 \"updates\"");
    check_rule("ScatterUpdate", "opset3", NULL,
               OPERANDS("f32[2,3]", "i32[4]", "f32[2,3]", "i32[] 1"),
               "error: input 2 \"updates\" has shape [2,3]: axis 1 is 3, it must be 4");
    check_rule("ScatterUpdate", "opset3", NULL,
               OPERANDS("f32[" ONES_32 "]", "i32[1,1]", "f32[...]", "i32[] 0"),
               "error: updates would need more than 32 dimensions");
    check_rule("ScatterUpdate", "opset3", NULL,
               OPERANDS("f32[?a,3]", "i32[4]", "f32[...]", "i32[]"), "f32[?a,3]");
}

#define SEU12(attrs, want, ...)                                                                    \
    check("ScatterElementsUpdate", "opset12", attrs, OPERANDS(__VA_ARGS__), want)
#define SEU3(want, ...) check("ScatterElementsUpdate", "opset3", NULL, OPERANDS(__VA_ARGS__), want)

static void scatter_elements_examples(void **state)
{
    const char *const data = "f32[4] 2 3 4 6", *const updates = "f32[6] 10 20 30 40 70 60";
    const char *const index = "i32[2,2] 1 1 0 3", *const u = "i32[2,2] 11 12 13 14";

    SEU12("reduction=sum", "f32[4] 52 13 104 76", data, "i32[6] 1 0 0 -2 -1 2", updates,
          "i32[1] 0");
    SEU12("reduction=sum;use_init_val=false", "f32[4] 50 10 100 70", data, "i32[6] 1 0 0 2 3 2",
          updates, "i32[1] 0");
    SEU12("reduction=none", "i32[3,4] 0 11 12 0 13 0 0 14 0 0 0 0",
          "i32[3,4] 0 0 0 0 0 0 0 0 0 0 0 0", "i32[2,2] 1 2 0 3", u, "i32[1] 1");
    SEU12("reduction=sum", "i32[3,4] 1 24 1 1 14 1 1 15 1 1 1 1",
          "i32[3,4] 1 1 1 1 1 1 1 1 1 1 1 1", index, u, "i32[1] 1");
    SEU12("reduction=prod", "i32[3,4] 2 264 2 2 26 2 2 28 2 2 2 2",
          "i32[3,4] 2 2 2 2 2 2 2 2 2 2 2 2", index, u, "i32[1] 1");
    SEU3("i32[3] 7 8 2", "i32[3] iota", "i32[2] 1 0", "i32[2] 8 7", "i32[] 0");
    /* duplicates without a reduction: row-major, the last one wins */
    SEU12(NULL, "i32[3] 0 9 2", "i32[3] iota", "i32[2] 1 1", "i32[2] 8 9", "i32[] 0");
    /* a longer axis, and nothing at all */
    SEU12("reduction=max", "i32[2] 5 4", "i32[2] iota", "i32[4] 0 1 1 0", "i32[4] 5 4 3 2",
          "i32[] 0");
    SEU12("reduction=max", "i32[2] 0 1", "i32[2] iota", "i32[0]", "i32[0]", "i32[] 0");
    /* as the type compares and wraps */
    SEU12("reduction=max", "u32[2] 4294967295 1", "u32[2] 7 1", "i32[2] 0 1", "u32[2] 4294967295 0",
          "i32[] 0");
    SEU12("reduction=min", "i16[2] -32768 -3", "i16[2] 5 -3", "i32[2] 0 1", "i16[2] -32768 7",
          "i32[] 0");
    SEU12("reduction=prod", "u16[2] 1 65534", "u16[2] 65535 2", "i32[2] 0 1", "u16[2] 65535 32767",
          "i32[] 0");
    SEU12("reduction=sum", "u8[2] 255 1", "u8[2] 128 3", "i32[2] 0 1", "u8[2] 127 254", "i32[] 0");
    SEU12(NULL, "string[2] x b", "string[2] a b", "i32[1] 0", "string[1] x", "i32[] 0");
}

static void scatter_elements_reductions(void **state)
{
    const char *const axis = "i32[] 0", *const zeros = "i32[3] 0 0 0";

    SEU12("reduction=min", "f32[2] -1 4", "f32[2] 3 4", "i32[2] 0 0", "f32[2] -1 7", axis);
    SEU12("reduction=mean", "f32[2] 3 4", "f32[2] 3 4", "i32[2] 0 0", "f32[2] -1 7", axis);
    SEU12("reduction=mean;use_init_val=false", "f32[2] 2.5 4", "f32[2] 3 4", "i32[2] 0 0",
          "f32[2] -1 6", axis);
    SEU12("reduction=mean;use_init_val=false", "i32[2] -2 4", "i32[2] 3 4", "i32[2] 0 0",
          "i32[2] -1 -2", axis); /* -3/2 rounds down */
    SEU12("reduction=mean", "i8[1] 126", "i8[1] 127", zeros, "i8[3] 127 127 126", axis);
    SEU12("reduction=mean", "u8[1] 254", "u8[1] 255", zeros, "u8[3] 255 253 255", axis);
    SEU12("reduction=sum", "i8[1] -4", "i8[1] 127", "i32[1] 0", "i8[1] 125", axis); /* wraps */
    SEU12("reduction=prod", "u8[1] 254", "u8[1] 127", "i32[1] 0", "u8[1] 2", axis);
    SEU12("reduction=max", "u64[1] 18446744073709551615", "u64[1] 1", "i32[1] 0",
          "u64[1] 18446744073709551615", axis);
    SEU12("reduction=min", "u64[1] 1", "u64[1] 18446744073709551615", "i32[1] 0", "u64[1] 1", axis);
    /* rounded once: 2048 + 1 + 1 in f16 is 2050, step by step it would stay 2048 */
    SEU12("reduction=sum", "f16[1] 2050", "f16[1] 2048", "i32[2] 0 0", "f16[2] 1 1", axis);
    SEU12("reduction=sum", "bf16[1] 258", "bf16[1] 256", "i32[2] 0 0", "bf16[2] 1 1", axis);
    SEU12("reduction=sum", "f64[1] 0.75", "f64[1] 0.25", "i32[1] 0", "f64[1] 0.5", axis);
    /* NaN comes through from either side, and from every place */
    SEU12("reduction=max", "f32[1] nan", "f32[1] nan", "i32[2] 0 0", "f32[2] 1 2", axis);
    SEU12("reduction=max", "f32[1] nan", "f32[1] 1", "i32[2] 0 0", "f32[2] nan 2", axis);
    SEU12("reduction=min", "f32[1] nan", "f32[1] 1", "i32[2] 0 0", "f32[2] 2 nan", axis);
    /* the neutral element is the infinity */
    SEU12("reduction=max;use_init_val=false", "f32[1] -inf", "f32[1] 5", "i32[2] 0 0",
          "f32[2] -inf -inf", axis);
    SEU12("reduction=min;use_init_val=false", "f16[1] inf", "f16[1] 5", "i32[1] 0", "f16[1] inf",
          axis);
    /* boolean: sum is or, prod is and; a byte of 2 is true */
    SEU12("reduction=sum", "boolean[2] 1 0", "boolean[2] 0 0", "i32[2] 0 0", "boolean[2] 1 0",
          axis);
    SEU12("reduction=prod", "boolean[1] 0", "boolean[1] 1", "i32[2] 0 0", "boolean[2] 1 0", axis);
    SEU12("reduction=prod", "boolean[1] 1", "boolean[1] 1", "i32[1] 0", "boolean[1] 2", axis);
    SEU12("reduction=max", "boolean[1] 1", "boolean[1] 0", "i32[1] 0", "boolean[1] 1", axis);
    SEU12("reduction=min", "boolean[1] 0", "boolean[1] 1", "i32[1] 0", "boolean[1] 0", axis);
}

static void scatter_elements_messages(void **state)
{
    const char *const data = "i32[2,3] iota", *const two = "i32[1,2] 7 8", *const axis = "i32[] 1";

    SEU12(NULL, "error: indices[0,1] is 3, axis 1 has 3 elements", data, "i32[1,2] -3 3", two,
          axis);
    SEU12(NULL, "error: indices[0,0] is -4, axis 1 has 3 elements", data, "i32[1,2] -4 3", two,
          axis);
    SEU12(NULL, "i32[2,3] 7 1 8 3 4 5", data, "i32[1,2] -3 2", two, axis);
    SEU3("i32[2,3] 7 1 8 3 4 5", data, "i32[1,2] -3 2", two, axis); /* with a warning */
    SEU3("error: indices[0,0] is -4, axis 1 has 3 elements", data, "i32[1,2] -4 2", two, axis);
    /* past its axis, and yet inside the tensor */
    SEU3("error: indices[0,0] is 5, axis 1 has 3 elements", data, "i32[1,2] 5 2", two, axis);
    SEU12(NULL, "error: axis 0 of indices", data, "i32[3,1] 0 0 0", "i32[3,1] 7 8 9", axis);
    SEU3("error: axis 1 of indices [1,4] is longer than data's [2,3]", data, "i32[1,4] 0 0 0 0",
         "i32[1,4] iota", axis);
    SEU12(NULL, "i32[2,3] 3 1 2 3 4 5", data, "i32[1,4] 0 0 0 0", "i32[1,4] iota", axis);
    SEU12(NULL, "error: input 1 \"indices\" has shape [2], it must have rank 2", data, "i32[2] 0 0",
          "i32[2] 7 8", axis);
    SEU12(NULL, "error: input 2 \"updates\" has shape [1,2]: axis 1 is 2, it must be 1", data,
          "i32[1,1] 0", two, axis);
    SEU12(NULL, "error: axis is 2, it must be in [-2, 1]", data, "i32[1,2] 0 0", two, "i32[] 2");
    SEU12("reduction=mean", "error: reduction \"mean\" is not defined for boolean data",
          "boolean[1] 0", "i32[1] 0", "boolean[1] 1", "i32[] 0");
    SEU12("reduction=sum", "error: reduction \"sum\" is not defined for string data", "string[1] a",
          "i32[1] 0", "string[1] b", "i32[] 0");
    SEU12("reduction=sub", "error: attribute \"reduction\" is \"sub\"", data, "i32[1,2] 0 0", two,
          axis);
}

#define ND15(attrs, want, ...)                                                                     \
    check("ScatterNDUpdate", "opset15", attrs, OPERANDS(__VA_ARGS__), want)
#define ND3(want, ...) check("ScatterNDUpdate", "opset4", NULL, OPERANDS(__VA_ARGS__), want)

static void scatter_nd_examples(void **state)
{
    const char *const eight = "i32[8] 1 2 3 4 5 6 7 8";
    const char *const cube = "i32[4,4,4] 1 2 3 4 5 6 7 8 8 7 6 5 4 3 2 1 "
                             "1 2 3 4 5 6 7 8 8 7 6 5 4 3 2 1 "
                             "8 7 6 5 4 3 2 1 1 2 3 4 5 6 7 8 "
                             "8 7 6 5 4 3 2 1 1 2 3 4 5 6 7 8";
    const char *const slices = "i32[2,4,4] 5 5 5 5 6 6 6 6 7 7 7 7 8 8 8 8 "
                               "1 1 1 1 2 2 2 2 3 3 3 3 4 4 4 4";
    const char *const cube_out = "i32[4,4,4] 5 5 5 5 6 6 6 6 7 7 7 7 8 8 8 8 "
                                 "1 2 3 4 5 6 7 8 8 7 6 5 4 3 2 1 "
                                 "1 1 1 1 2 2 2 2 3 3 3 3 4 4 4 4 "
                                 "8 7 6 5 4 3 2 1 1 2 3 4 5 6 7 8";
    const char *const index = "i32[5,1] 0 2 -3 -3 0";

    ND3("i32[8] 1 11 3 10 9 6 7 12", eight, "i32[4,1] 4 3 1 7", "i32[4] 9 10 11 12");
    ND3(cube_out, cube, "i32[2,1] 0 2", slices);
    /* the page prints 4 for the 14, and counts on the last one winning */
    ND15(NULL, "i32[8] 1 11 3 10 14 6 13 12", eight, "i32[6,1] 4 3 1 7 -2 -4",
         "i32[6] 9 10 11 12 13 14");
    ND15(NULL, cube_out, cube, "i64[2,1] 0 2", slices);
    /* XML examples 1 to 4, with indices of shape [5,1] and the results worked out anew */
    ND15(NULL, "f32[4] 50 40 20 4", "f32[4] 1 2 3 4", index, "f32[5] 10 20 30 40 50");
    ND15("reduction=sum", "f16[4] 61 72 23 4", "f16[4] 1 2 3 4", index, "f16[5] 10 20 30 40 50");
    ND15("reduction=sub", "i32[4] -59 -68 -17 4", "i32[4] 1 2 3 4", index, "i32[5] 10 20 30 40 50");
    ND15("reduction=prod", "f32[4] 500 2400 60 4", "f32[4] 1 2 3 4", index,
         "f32[5] 10 20 30 40 50");
    ND15("reduction=max", "i32[4] 50 40 20 4", "i32[4] 1 2 3 4", index, "i32[5] 10 20 30 40 50");
    ND15("reduction=min", "i32[4] 1 2 3 4", "i32[4] 1 2 3 4", index, "i32[5] 10 20 30 40 50");
}

static void scatter_nd_tuples(void **state)
{
    const char *const data = "i32[2,3] iota";

    /* k = r, 0 < k < r, k = 0; indices of rank 1 are one tuple */
    ND3("i32[2,3] 0 1 9 8 4 5", data, "i32[2,2] 0 2 1 0", "i32[2] 9 8");
    ND3("i32[2,3] 0 1 2 7 8 9", data, "i32[1] 1", "i32[3] 7 8 9");
    ND3("i32[2,3] 0 1 2 3 4 9", data, "i64[2] 1 2", "i32[] 9");
    ND3("i32[3] 0 9 2", "i32[3] iota", "i32[1] 1", "i32[1] 9"); /* one element for a scalar */
    ND3("i32[2,3] 9 8 7 6 5 4", data, "i32[0]", "i32[2,3] 9 8 7 6 5 4");
    ND15("reduction=sum", "i32[2,3] 2 4 6 8 10 12", data, "i32[2,0]",
         "i32[2,2,3] 1 1 1 1 1 1 1 2 3 4 5 6");
    ND15(NULL, "error: indices [2,0] has empty tuples", data, "i32[2,0]", "i32[2,2,3] iota");
    ND15(NULL, data, data, "i32[0,2]", "i32[0]");
    ND15(NULL, "i32[2,0]", "i32[2,0]", "i32[1,1] 1", "i32[1,0]");
    ND15(NULL, "i32[2,3] 0 1 2 7 8 9", data, "i32[2,1] -1 1", "i32[2,3] 1 1 1 7 8 9");
    ND15("reduction=sub", "boolean[2] 1 0", "boolean[2] 0 1", "i32[2,1] 0 1", "boolean[2] 1 1");
    ND15("reduction=sum", "boolean[2] 1 1", "boolean[2] 0 1", "i32[2,1] 0 1", "boolean[2] 1 1");
}

static void scatter_nd_messages(void **state)
{
    const char *const data = "i32[2,3] iota";

    /* every component by its own axis: the flat position would be inside */
    ND15(NULL, "error: indices[0,1] is 3, axis 1 has 3 elements", data, "i32[1,2] 0 3", "i32[1] 9");
    ND15(NULL, "error: indices[0,0] is 2, axis 0 has 2 elements", data, "i32[1,2] 2 0", "i32[1] 9");
    ND15(NULL, "error: indices[0,0] is -3, axis 0 has 2 elements", data, "i32[1,2] -3 0",
         "i32[1] 9");
    ND15(NULL, "i32[2,3] 9 1 2 3 4 5", data, "i32[1,2] -2 -3", "i32[1] 9");
    ND3("i32[2,3] 9 1 2 3 4 5", data, "i32[1,2] -2 -3", "i32[1] 9"); /* with a warning */
    ND15(NULL, "error: indices[2,0] is 2, axis 0 has 2 elements", data, "i32[3,1] 0 1 2",
         "i32[3,3] iota");
    ND15(NULL, "error: indices [1,3] has tuples of 3, data [2,3] has 2 dimensions", data,
         "i32[1,3] 0 0 0", "i32[1] 9");
    ND15(NULL, "error: input 2 \"updates\" has shape [2]: axis 0 is 2, it must be 1", data,
         "i32[1,2] 0 0", "i32[2] 9 9");
    ND15(NULL, "error: input 2 \"updates\" has shape [3], it must have rank 2", data, "i32[1,1] 0",
         "i32[3] 9 9 9");
    ND15(NULL, "error: input 2 \"updates\" has shape [2], it must have one element", "i32[3] iota",
         "i32[1] 0", "i32[2] 9 9");
    ND15(NULL, "error: input 1 \"indices\" has shape [], it must have rank 1 or more", data,
         "i32[] 0", "i32[3] 9 9 9");
    ND15(NULL, "error: input 0 \"data\" has shape [], it must have rank 1 or more", "i32[] 0",
         "i32[1,0]", "i32[1] 9");
    check_rule("ScatterNDUpdate", "opset15", NULL,
               OPERANDS("f32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]",
                        "i32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "f32[1]"),
               "error: updates would need more than 32 dimensions");
    check_rule("ScatterNDUpdate", "opset15", NULL, OPERANDS("f32[2]", "i16[1,1]", "f32[1]"),
               "error: input 1 \"indices\"");
    check_rule("ScatterNDUpdate", "opset4", NULL, OPERANDS("boolean[2]", "i32[1,1]", "boolean[1]"),
               "error: input 0 \"data\"");
    check_rule("ScatterNDUpdate", "opset15", NULL, OPERANDS("f32[2,?a]", "i32[4,1]", "f32[4,?]"),
               "f32[2,?a]");
    check_rule("ScatterNDUpdate", "opset15", NULL, OPERANDS("f32[2,?a]", "i32[4,?]", "f32[...]"),
               "f32[2,?a]");
}

#define TF(attrs, want, ...)                                                                       \
    check("tensor_scatter_nd_update", "tensorflow", attrs, OPERANDS(__VA_ARGS__), want)

static void tensorflow_examples(void **state)
{
    TF(NULL, "i32[8] 0 9 0 10 11 0 0 12", "i32[8] 0 0 0 0 0 0 0 0", "i32[4,1] 1 3 4 7",
       "i32[4] 9 10 11 12");
    TF(NULL, "i32[3,2] 1 5 1 1 10 1", "i32[3,2] 1 1 1 1 1 1", "i32[2,2] 0 1 2 0", "i32[2] 5 10");
    TF(NULL, "i32[6,3] 0 0 0 0 0 0 1 2 3 0 0 0 4 5 6 0 0 0",
       "i32[6,3] 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "i32[2,1] 2 4", "i32[2,3] 1 2 3 4 5 6");
    TF(NULL, "f32[5,5] 1 0 0 0 1 0 1 0 1 0 0 0 1 0 0 0 1 0 1 0 1 0 0 0 1",
       "f32[5,5] 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
       "i32[2,5,2] 0 0 1 1 2 2 3 3 4 4 0 4 1 3 2 2 3 1 4 0", "f32[2,5] 1 1 1 1 1 1 1 1 1 1");
    TF(NULL, "string[2] a x", "string[2] a b", "i16[1,1] 1", "string[1] x");
    TF(NULL, "i32[2] 0 9", "i32[2] iota", "i32[2,1] 1 1", "i32[2] 8 9"); /* the last one wins */
}

static void tensorflow_bounds(void **state)
{
    const char *const data = "i32[2,3] iota", *const index = "i32[3,2] 0 3 1 0 -1 0";
    const char *const updates = "i32[3] 7 8 9";

    TF(NULL, "error: indices[0,1] is 3, axis 1 has 3 elements", data, index, updates);
    TF("bad_indices=error", "error: indices[0,1] is 3, axis 1 has 3 elements", data, index,
       updates);
    TF("bad_indices=ignore", "i32[2,3] 0 1 2 8 4 5", data, index, updates);
    TF("bad_indices=ignore", data, data, "i32[2,1] 2 -1", "i32[2,3] 9 9 9 9 9 9");
    TF(NULL,
       "error: indices[0,0] is -1, axis 0 has 2 elements and negative indices are not allowed",
       data, "i32[1,1] -1", "i32[1,3] 7 8 9");
    TF(NULL, "error: input 1 \"indices\" has shape [1], it must have rank 2 or more", data,
       "i32[1] 0", "i32[3] 7 8 9");
    TF(NULL, "error: input 2 \"updates\" has shape [], it must have rank 1", "i32[3] iota",
       "i32[1,1] 0", "i32[] 9");
    TF(NULL, "error: indices [1,3] has tuples of 3, data", data, "i32[1,3] 0 0 0", "i32[1] 9");
    TF("bad_indices=clip", "error: attribute \"bad_indices\" is \"clip\"", data, index, updates);
}

#define MS(attrs, want, ...)                                                                       \
    check("Tensor.scatter_", "mindspore", attrs, OPERANDS(__VA_ARGS__), want)

static void mindspore_examples(void **state)
{
    const char *const self = "f32[2,2] 1 2 3 4", *const src = "f32[2,2] 4 3 2 1";
    const char *const swap = "i64[2,2] 1 0 1 0", *const rows = "i64[2,1] 0 1";

    MS("dim=1", "f32[2,2] 3 4 1 2", self, swap, src);
    MS("dim=1;reduce=add", "f32[2,2] 4 6 4 6", self, swap, src);
    MS("dim=0;value=10", "f32[2,2] 10 2 10 4", self, rows);
    MS("dim=0;value=3;reduce=multiply", "f32[2,2] 3 2 9 4", self, rows);
    MS("dim=-1;reduce=multiply", "f32[2,2] 3 8 3 8", self, swap, src);
    MS("dim=-2;value=1;reduce=add", "f32[2,2] 2 2 4 4", self, rows);
    /* self[i][j][index[i][j][k]] = src[i][j][k], src larger than index, a negative index */
    MS("dim=2", "i32[1,2,3] 0 1 7 8 4 5", "i32[1,2,3] iota", "i32[1,2,1] -1 0",
       "i32[2,2,2] 7 9 8 9 9 9 9 9");
    /* an empty index returns self, whatever its rank */
    MS("dim=0", self, self, "i32[0]", src);
    MS("dim=0;value=1", self, self, "i32[0,2,2]");
    /* the value takes self's type */
    MS("dim=0;value=2.75", "i32[2] 2 1", "i32[2] iota", "i32[1] 0");
    MS("dim=0;value=true;value_type=bool", "i32[2] 1 1", "i32[2] 0 1", "i32[1] 0");
    MS("dim=0;value=300", "u8[2] 44 1", "u8[2] iota", "i32[1] 0");
    MS("dim=0;value=5", "boolean[2] 1 0", "boolean[2] 0 0", "i32[1] 0");
    MS("dim=0;value=0.5;value_type=float", "f16[2] 0.5 1", "f16[2] iota", "i32[1] 0");
    MS("dim=0", "i32[2] 0 9", "i32[2] iota", "i32[2] 1 1", "i32[2] 8 9"); /* the last one wins */
    MS("dim=0;reduce=add", "i32[2] 0 18", "i32[2] iota", "i32[2] 1 1", "i32[2] 8 9");
}

static void mindspore_messages(void **state)
{
    const char *const self = "f32[2,2] 1 2 3 4", *const src = "f32[2,2] 4 3 2 1";
    const char *const rows = "i64[2,1] 0 1";

    MS("dim=2", "error: dim is 2, it must be in [-2, 1]", self, rows, src);
    MS("dim=-3;value=1", "error: dim is -3, it must be in [-2, 1]", self, rows);
    MS("dim=0", "error: self [1,1,1,1,1,1,1,1,1] has rank 9, it must not be above 8",
       "f32[1,1,1,1,1,1,1,1,1] 0", "i64[1,1,1,1,1,1,1,1,1] 0", "f32[1,1,1,1,1,1,1,1,1] 0");
    MS("dim=0", "error: index [1] has rank 1, self [2,2] has rank 2: they must be equal", self,
       "i64[1] 0", src);
    MS("dim=0", "error: src [2] has rank 1, self [2,2] has rank 2: they must be equal", self, rows,
       "f32[2] 1 2");
    MS("dim=0", "error: index [2,1] is larger than src [1,2] in dimension 0", self, rows,
       "f32[1,2] 1 2");
    MS("dim=0", "error: index [3,1] is larger than self [2,2] in dimension 0", self,
       "i64[3,1] 0 1 0", "f32[3,1] 1 2 3");
    MS("dim=0;value=1", "error: index [3,1] is larger than self [2,2] in dimension 0", self,
       "i64[3,1] 0 1 0");
    MS("dim=0;value=1", "error: index[1,0] is 2, axis 0 has 2 elements", self, "i64[2,1] 0 2");
    MS("dim=0;value=1", "error: index[0,0] is -3, axis 0 has 2 elements", self, "i64[2,1] -3 2");
    MS("dim=0;value=1;reduce=max", "error: reduce is \"max\", it must be \"add\" or \"multiply\"",
       self, rows);
    MS("dim=0;value=1", "error: there are both the input src and the attribute value", self, rows,
       src);
    MS("dim=0", "error: there is neither the input src nor the attribute value", self, rows);
    MS("dim=0;value_type=int", "error: there is an attribute value_type but no value", self, rows,
       src);
    MS("dim=0;value=1.5;value_type=int", "error: value is 1.5, its value_type is \"int\"", self,
       rows);
    MS("dim=0;value=2;value_type=bool", "error: value is 2, its value_type is \"bool\"", self,
       rows);
    check_rule("Tensor.scatter_", "mindspore", "dim=0", OPERANDS("f32[2]", "i16[1]", "f32[1]"),
               "error: input 1 \"index\"");
    check_rule("Tensor.scatter_", "mindspore", "dim=0", OPERANDS("f32[2]", "i32[1]", "f16[1]"),
               "error: input 2 \"src\"");
    check_rule("Tensor.scatter_", "mindspore", "dim=0",
               OPERANDS("string[2]", "i32[1]", "string[1]"), "error: input 0 \"self\"");
    check_rule("Tensor.scatter_", "mindspore", "value=1", OPERANDS("f32[2]", "i32[1]"), "error: ");
    check_rule("Tensor.scatter_", "mindspore", "dim=0", OPERANDS("f32[?a]", "i32[?]", "f32[...]"),
               "f32[?a]");
}

/* The bad index stands last; nothing may have been written before the kernel saw it. The operation
 * runs on the operand's own buffer, as it would on a donated one. */
static void a_bad_index_leaves_data_alone(void **state)
{
    static const struct {
        const char *op, *version, *attrs, *in[4];
        int n;
    } cases[] = {
        {"ScatterUpdate",
         "opset3",
         NULL,
         {"i32[3] 7 7 7", "i32[3] 0 1 3", "i32[3] 1 2 3", "i32[] 0"},
         4},
        {"ScatterElementsUpdate",
         "opset12",
         NULL,
         {"i32[3] 7 7 7", "i32[3] 0 1 3", "i32[3] 1 2 3", "i32[] 0"},
         4},
        {"ScatterNDUpdate",
         "opset15",
         "reduction=sum",
         {"i32[3] 7 7 7", "i32[3,1] 0 1 3", "i32[3] 1 2 3"},
         3},
        {"tensor_scatter_nd_update",
         "tensorflow",
         NULL,
         {"i32[3] 7 7 7", "i32[3,1] 0 1 3", "i32[3] 1 2 3"},
         3},
        {"Tensor.scatter_",
         "mindspore",
         "dim=0",
         {"i32[3] 7 7 7", "i32[3] 0 1 3", "i32[3] 1 2 3"},
         3},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_in_place(cases[i].op, cases[i].version, cases[i].attrs, cases[i].in, cases[i].n,
                       "error: is 3", "i32[3] 7 7 7");
    }
}

static void in_place_is_the_same(void **state)
{
    check_in_place("ScatterUpdate", "opset3", NULL,
                   (const char *const[]){"i32[4] iota", "i32[2] 3 0", "i32[2] 8 9", "i32[] 0"}, 4,
                   "i32[4] 9 1 2 8", "i32[4] 9 1 2 8");
    check_in_place("ScatterElementsUpdate", "opset12", "reduction=sum;use_init_val=false",
                   (const char *const[]){"i32[3] 5 5 5", "i32[3] 1 1 0", "i32[3] 1 2 3", "i32[] 0"},
                   4, "i32[3] 3 3 5", "i32[3] 3 3 5");
    check_in_place(
        "SliceScatter", "opset15", NULL,
        (const char *const[]){"i32[4] iota", "i32[2] 8 9", "i32[1] 3", "i32[1] 0", "i32[1] -2"}, 5,
        "i32[4] 0 9 2 8", "i32[4] 0 9 2 8");
    check_in_place(
        "SliceScatter", "opset15", NULL,
        (const char *const[]){"i32[4] iota", "i32[2] 8 9", "i32[1] 3", "i32[1] 0", "i32[1] 0"}, 5,
        "error: step[0] is 0", "i32[4] iota");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scatter_update_examples),
        cmocka_unit_test(scatter_update_messages),
        cmocka_unit_test(scatter_elements_examples),
        cmocka_unit_test(scatter_elements_reductions),
        cmocka_unit_test(scatter_elements_messages),
        cmocka_unit_test(scatter_nd_examples),
        cmocka_unit_test(scatter_nd_tuples),
        cmocka_unit_test(scatter_nd_messages),
        cmocka_unit_test(tensorflow_examples),
        cmocka_unit_test(tensorflow_bounds),
        cmocka_unit_test(mindspore_examples),
        cmocka_unit_test(mindspore_messages),
        cmocka_unit_test(a_bad_index_leaves_data_alone),
        cmocka_unit_test(in_place_is_the_same),
    };

    return cmocka_run_group_tests_name("scatter", tests, NULL, NULL);
}
