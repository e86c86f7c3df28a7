/* A JSON graph of any bytes. Its constants may stand in w.bin. */
#include "fuzz.h"
#include "parser/parser.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    const inlay_read_options o = {.max_bytes = FUZZ_MOST_BYTES, .max_memory = 16 * FUZZ_MOST_BYTES};
    inlay_diags *d = inlay_diags_new();

    fuzz_model(inlay_read_json(fuzz_path("fuzz.json"), (const char *)bytes, n, &o, d), d);
    return 0;
}
