/* Reads a model, runs it on one input, and prints one output.
 * usage: run_model MODEL INPUT FILE.npy OUTPUT */
#include <inlay.h>

#include <stdio.h>

static void print(const inlay_tensor *t)
{
    int64_t row = t->rank > 0 && t->dims[t->rank - 1] > 0 ? t->dims[t->rank - 1] : 1;

    for (int64_t i = 0; i < inlay_tensor_count(t); i++)
        printf("%.4g%c", inlay_tensor_get_f64(t, i), i % row == row - 1 ? '\n' : ' ');
}

int main(int argc, char **argv)
{
    inlay_diags *d = inlay_diags_new();
    inlay_model *m = argc == 5 ? inlay_load(argv[1], NULL, d) : NULL;
    inlay_session *s = m ? inlay_session_new(m->program, d) : NULL;
    inlay_tensor *x = s ? inlay_read_npy(argv[3], d) : NULL;
    inlay_input in = {argv[2], x, false};
    inlay_output out = {argv[4], NULL};
    bool ok = x && inlay_session_run_named(s, &in, 1, &out, 1, d);

    if (ok)
        print(out.tensor);
    for (size_t i = 0; i < inlay_diags_count(d); i++)
        fprintf(stderr, "%s\n", inlay_diags_at(d, i)->text);
    inlay_tensor_release(out.tensor);
    inlay_tensor_release(x);
    inlay_session_free(s);
    inlay_model_free(m);
    inlay_diags_free(d);
    return ok ? 0 : 1;
}
