/* An ONNX model of any bytes. Its tensors are views of a buffer, as those of a mapped file are; others may
 * stand in w.bin. */
#include "fuzz.h"
#include "ir/shared.h"
#include "parser/parser.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    const inlay_read_options o = {.max_bytes = FUZZ_MOST_BYTES, .max_memory = 16 * FUZZ_MOST_BYTES};
    inlay_diags *d = inlay_diags_new();
    inlay_buffer *b = inlay_buffer_new(n);

    if (b) {
        if (n > 0)
            memcpy(inlay_buffer_data(b), bytes, n);
        fuzz_model(inlay_read_onnx(fuzz_path("fuzz.onnx"), inlay_buffer_data(b), n, b, &o, d), d);
    } else {
        inlay_diags_free(d);
    }
    inlay_buffer_release(b);
    return 0;
}
