/* The text form of any bytes. */
#include "fuzz.h"
#include "parser/parser.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    const inlay_read_options o = {.max_bytes = FUZZ_MOST_BYTES, .max_memory = 16 * FUZZ_MOST_BYTES};
    inlay_diags *d = inlay_diags_new();

    fuzz_model(inlay_read_text("fuzz.inlay", (const char *)bytes, n, &o, d), d);
    return 0;
}
