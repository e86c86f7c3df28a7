/* OpenVINO IR of any bytes. What stands behind a zero are the bytes of its weights file; where there is none, these are
 * 64. */
#include "fuzz.h"
#include "ir/shared.h"
#include "parser/parser.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static uint8_t weights[64] = {0, 0, 128, 63, 1, 0, 0, 0, 2, 0, 0, 0};
    const inlay_read_options o = {.max_bytes = FUZZ_MOST_BYTES, .max_memory = 16 * FUZZ_MOST_BYTES};
    const uint8_t *zero = n > 0 ? memchr(bytes, 0, n) : NULL;
    size_t n_xml = zero ? (size_t)(zero - bytes) : n;
    inlay_buffer *b = zero ? inlay_buffer_new(n - n_xml - 1)
                           : inlay_buffer_wrap(weights, sizeof weights, NULL, NULL);
    inlay_diags *d = inlay_diags_new();

    if (zero && b && n - n_xml > 1)
        memcpy(inlay_buffer_data(b), zero + 1, n - n_xml - 1);
    fuzz_model(inlay_read_xml("fuzz.xml", (const char *)bytes, n_xml, b, &o, d), d);
    inlay_buffer_release(b);
    return 0;
}
