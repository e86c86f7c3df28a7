/* The time of one call of a small model in C: set a new input, run, read the output. usage: call
 * MODEL. Prints nanoseconds, the smallest of many; bench/call.py measures the same from Python. */
#include "bench/measure.h"
#include "inlay.h"

#include <stdio.h>

enum { TURNS = 500, CALLS = 100 };

static void call(inlay_session *s, float *x, inlay_diags *d)
{
    const int64_t dims[] = {4};
    inlay_buffer *b = inlay_buffer_wrap(x, 4 * sizeof *x, NULL, NULL);
    const inlay_tensor *in = inlay_tensor_over(b, x, INLAY_F32, 1, dims);
    inlay_tensor *out;

    if (!inlay_session_run(s, &in, NULL, &out, d))
        die("the run", d);
    inlay_tensor_release(out);
    inlay_tensor_release(in);
    inlay_buffer_release(b);
}

int main(int argc, char **argv)
{
    inlay_diags *d = inlay_diags_new();
    inlay_model *m = argc == 2 ? inlay_load(argv[1], NULL, d) : NULL;
    inlay_session *s = m ? inlay_session_new(m->program, d) : NULL;
    float x[4] = {0};
    double least = 1e9;

    if (!s)
        die("the model", d);
    for (int i = 0; i < TURNS; i++) {
        double begun = now(), took;

        for (int k = 0; k < CALLS; k++)
            call(s, x, d);
        took = (now() - begun) / CALLS;
        least = took < least ? took : least;
    }
    printf("%.0f\n", least * 1e9);
    inlay_session_free(s);
    inlay_model_free(m);
    inlay_diags_free(d);
    return 0;
}
