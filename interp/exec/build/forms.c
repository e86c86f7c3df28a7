/* Describes steps as operations that a fusion group can compute. */
#include "interp/exec/build/forms.h"
#include "interp/exec/build/segments.h"

int real_dims(const inlay_tensor *t, int64_t *dims)
{
    int n = 0;

    for (int i = 0; i < t->rank; i++) {
        if (t->dims[i] != 1)
            dims[n++] = t->dims[i];
    }
    return n;
}

void real_strides(const inlay_tensor *t, const int64_t *strides, int64_t *real)
{
    int n = 0;

    for (int i = 0; i < t->rank; i++) {
        if (t->dims[i] != 1)
            real[n++] = strides[i];
    }
}

static bool is_native(const inlay_tensor *t, inlay_type type)
{
    return t->type == type && (uintptr_t)t->data % size_of(type) == 0;
}

const inlay_tensor *forms_space(const exec_builder *b, size_t i)
{
    const exec_step *s = &b->x->list[i];

    return b->x->meta[b->form[i]->folds ? s->in[0] : s->out[0]];
}

form_rows forms_rows(const inlay_tensor *of, const int64_t *strides)
{
    int64_t real[INLAY_MAX_RANK], dims[INLAY_MAX_RANK];
    int n = real_dims(of, dims);

    real_strides(of, strides, real);
    if (n == 0 || real[n - 1] == 1)
        return FORM_ARRAYS;
    return real[n - 1] != 0 ? FORM_GAPS : all_zero(real, n) ? FORM_NUMBER : FORM_EACH;
}

size_t forms_size(const row_form *f)
{
    size_t size = size_of(f->to);

    for (int i = 0; i < f->n; i++)
        size = size_of(f->from[i]) > size ? size_of(f->from[i]) : size;
    return size;
}

int forms_row_dims(const exec_builder *b, size_t i)
{
    const inlay_tensor *of = forms_space(b, i);
    int n = 0;

    for (int k = of->rank - b->form[i]->row_dims; k < of->rank; k++)
        n += of->dims[k] != 1;
    return n;
}

/* Returns whether the last ROW_DIMS dims of OF that are not 1 are contiguous at STRIDES. */
static bool lane_merges(const inlay_tensor *of, const int64_t *strides, int row_dims)
{
    int64_t real[INLAY_MAX_RANK], dims[INLAY_MAX_RANK];
    int n = real_dims(of, dims);
    bool one = true;

    real_strides(of, strides, real);
    for (int k = n - row_dims; k + 1 < n; k++)
        one = one && real[k] == real[k + 1] * dims[k + 1];
    return one;
}

bool forms_merge(const exec_builder *b, size_t i, int row_dims)
{
    const row_form *form = b->form[i];
    const inlay_tensor *of = forms_space(b, i), *out = b->x->meta[b->x->list[i].out[0]];
    bool ok = form->folds || lane_merges(of, out->strides, row_dims);

    for (int k = 0; ok && k < form->n; k++)
        ok = lane_merges(of, form->strides[k], row_dims);
    return ok;
}

static bool operands_fit(const exec_builder *b, size_t i)
{
    const row_form *form = b->form[i];
    int numbers = 0;
    bool ok = true;

    for (int k = 0; ok && k < form->n; k++) {
        const inlay_tensor *t = b->x->meta[b->x->list[i].in[k]];
        form_rows rows = forms_rows(forms_space(b, i), form->strides[k]);

        ok = t && rows != FORM_GAPS && (is_native(t, form->from[k]) || rows == FORM_NUMBER);
        numbers += rows != FORM_ARRAYS;
    }
    return ok && (numbers == 0 || (numbers == 1 && form->n > 1));
}

/* Returns whether step I works on single elements, or on whole rows of more than one element that
 * fit into a tile. */
static bool rows_fit(const exec_builder *b, size_t i)
{
    const row_form *form = b->form[i];
    const inlay_tensor *of = forms_space(b, i);
    int64_t length = 1;

    for (int k = of->rank - form->row_dims; k < of->rank; k++)
        length *= k < 0 ? 0 : of->dims[k];
    return form->row_dims == 0 || (length > 1 && length <= FUSED_TILE / (int64_t)forms_size(form) &&
                                   forms_merge(b, i, forms_row_dims(b, i)));
}

bool forms_fit(const exec_builder *b, size_t i)
{
    const exec_step *s = &b->x->list[i];
    const row_form *form = b->form[i];
    const inlay_tensor *out = form ? b->x->meta[s->out[0]] : NULL;

    if (!out || form->picks || (s->kind != EXEC_BLOCKS && s->kind != EXEC_KERNEL) || s->fused ||
        (s->in_place && (form->row_dims > 0 || b->s->n_keep > 0)) || !is_native(out, form->to) ||
        inlay_tensor_count(out) == 0 || build_floats(b, s->out[0]))
        return false;
    for (int k = 0; k < form->n; k++) {
        if (s->in[k] == SIZE_MAX || !b->x->meta[s->in[k]] || build_floats(b, s->in[k]))
            return false;
    }
    return (form->folds ? inlay_tensor_is_dense(out)
                        : forms_rows(out, out->strides) == FORM_ARRAYS) &&
           operands_fit(b, i) && rows_fit(b, i);
}
