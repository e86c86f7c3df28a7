/* OpenVINO IR of any bytes, beside a weights file of 64 bytes. */
#include "fuzz.h"
#include "parser/parser.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static uint8_t weights[64] = {0, 0, 128, 63, 1, 0, 0, 0, 2, 0, 0, 0};
    const inlay_read_options o = {.max_bytes = FUZZ_MOST_BYTES};
    inlay_buffer *b = inlay_buffer_wrap(weights, sizeof weights, NULL, NULL);
    inlay_diags *d = inlay_diags_new();

    fuzz_model(inlay_read_xml("fuzz.xml", (const char *)bytes, n, b, &o, d), d);
    inlay_buffer_release(b);
    return 0;
}
