/* The conditions of in place in words. */
#include "passes/inplace/decide.h"

#include <string.h>

/* How a node breaks each, as the end of a sentence that begins with it. */
static const struct words {
    const char *condition, *text;
} words[] = {
    {"O1 same-storage", "is not proven to have the type and shape of the result"},
    {"O2 writable-root", "may not be written"},
    {"O3 last-read", "reads the old data after the write"},
    {"O4 not-observed", "looks at the buffer when the run is over"},
    {"O5 one-heir", "writes over the same data"},
    {"O6 no-self-read", "reads positions that it writes"},
    {"O7 same-value-twice", "has its data as another operand too"},
    {"O12 bytes", "has a window that begins or ends within a byte"},
    {"O13 result-survives", "assigns something else to the variable"},
    {"V1 read-before-write", "reads the slice after the write"},
    {"V2 strided-readers", "reads only elements that follow each other"},
    {"V3 does-not-outlive", "looks at the slice when the run is over"},
    {"V4 whole-bytes", "begins or ends within a byte"},
    {"I1 same-window", "has other positions, or the same in another order"},
    {"I2 pointwise", "does not compute each element of the window from the same one"},
    {"I3 other-operands", "reads other positions of the data than it writes"},
    {"I4 broadcast-others", "reads some positions of the window for many others"},
    {"I5 sole-consumer", "still needs the elements as they are"},
    {"I6 width", "has elements of another width"},
    {"I8 no-trap-between", "may fail when part of the window is written"},
    {"I9 same-version", "can only be made later"},
    {"I10 no-effects", "has an effect"},
    {"B1 carried-input", "has the same value in other iterations, or in the graph around"},
    {"B2 state-of-a-body", "is a state, which a body only reads"},
    {"B3 handed-through", "may hand it through to an output"},
    {"B4 ends-there", "does not end where it began: it writes over what is given to it"},
    {"B5 state-inside", "uses the variable in a body, as it was before the run"},
    {"N1 content-first", "can only be made later, and would erase what is computed before"},
    {"N2 checks-first", "says where the window is only when it runs"},
    {"N10 one-place", "has the value in its own result already"},
};

const char *inlay_decision_text(const inlay_decision *d)
{
    for (size_t i = 0; d && d->by && d->condition && i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i].condition, d->condition) == 0)
            return words[i].text;
    }
    return "";
}
