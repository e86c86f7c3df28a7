/* Reads and writes tensors in numpy's .npy format: the elements behind the header, and files of
 * them. */
#include "parser/npy/npy.h"
#include "ir/shared.h"

#include "parser/file_out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reverses the bytes of N elements of SIZE bytes each. */
static void swap_bytes(unsigned char *bytes, size_t n, size_t size)
{
    for (size_t i = 0; i < n; i++, bytes += size) {
        for (size_t k = 0; k < size / 2; k++) {
            unsigned char b = bytes[k];
            bytes[k] = bytes[size - 1 - k];
            bytes[size - 1 - k] = b;
        }
    }
}

static void fix_elements(const npy_header *h, unsigned char *bytes, size_t n)
{
    bool pair = inlay_type_info_of(h->type)->cls == INLAY_CLASS_COMPLEX;

    if (h->swapped)
        swap_bytes(bytes, pair ? n / h->item * 2 : n / h->item, pair ? h->item / 2 : h->item);
    for (size_t i = 0; h->type == INLAY_BOOLEAN && i < n; i++)
        bytes[i] = bytes[i] != 0;
}

/* Returns a row-major copy of T, whose first dimension varies fastest. */
static inlay_tensor *from_fortran(const inlay_tensor *t, const npy_header *h)
{
    int64_t strides[INLAY_MAX_RANK], step = 1;
    inlay_tensor *window, *copy = NULL;

    for (int i = 0; i < h->rank; i++) {
        strides[i] = step;
        if (__builtin_mul_overflow(step, h->dims[i], &step)) /* only for an empty tensor */
            step = 0;
    }
    window = inlay_tensor_window(t, h->rank, h->dims, strides, 0);
    if (window != NULL)
        copy = inlay_tensor_copy(window);
    inlay_tensor_release(window);
    return copy;
}

/* Checks that what H describes fits into BUDGET besides what it holds: the tensor, a copy of it if
 * the order of its elements changes, and its strings. *SIZE: how many bytes of elements the file
 * must have. */
static bool room_for(const npy_header *h, const char *name, const inlay_budget *budget,
                     size_t *size, inlay_diags *d)
{
    inlay_pos pos = {name, 0};
    int64_t count;
    size_t tensor;
    bool copied = h->fortran && h->rank > 1;
    uint64_t need, limit = inlay_budget_limit(budget);

    if (!inlay_count_elements(h->rank, h->dims, &count) ||
        __builtin_mul_overflow((size_t)count, h->item, size) ||
        !inlay_count_bytes(h->type, h->rank, h->dims, &tensor))
        return inlay_fail(d, &pos, "the shape has too many elements");
    if (__builtin_mul_overflow((uint64_t)tensor, copied ? 2 : 1, &need) ||
        __builtin_add_overflow(need, h->type == INLAY_STRING ? *size : 0, &need) ||
        __builtin_add_overflow(need, inlay_budget_used(budget), &need))
        need = UINT64_MAX;
    if (limit == 0 || need <= limit)
        return true;
    return inlay_fail_resource(
        d, &pos,
        "reading it takes %llu byte%s; that is over the memory limit of %llu "
        "byte%s",
        (unsigned long long)need, inlay_plural(need, "", "s"), (unsigned long long)limit,
        inlay_plural((int64_t)limit, "", "s"));
}

/* Returns T with its elements in row-major order. If that is another tensor, T is released. */
static inlay_tensor *row_major(inlay_tensor *t, const npy_header *h, inlay_diags *d)
{
    inlay_tensor *copy;

    if (!h->fortran || h->rank < 2)
        return t;
    copy = from_fortran(t, h);
    inlay_tensor_release(t);
    if (copy == NULL)
        inlay_fail_memory(d);
    return copy;
}

inlay_tensor *npy_read(const char *name, const void *bytes, size_t n, inlay_budget *budget,
                       inlay_diags *d)
{
    const unsigned char *all = bytes;
    npy_header h;
    size_t size = 0;
    inlay_tensor *t;

    if (!npy_read_header(all, n, name, &h, d) || !room_for(&h, name, budget, &size, d))
        return NULL;
    if (n - h.start != size) {
        inlay_fail(d, &(inlay_pos){name, 0},
                   "the header promises %zu byte%s of elements, the file has %zu", size,
                   inlay_plural(size, "", "s"), n - h.start);
        return NULL;
    }
    t = inlay_tensor_in(budget, h.type, h.rank, h.dims);
    if (t == NULL) {
        inlay_fail_memory(d);
        return NULL;
    }
    if (h.type == INLAY_STRING && !npy_read_text(&h, all + h.start, t, name, d)) {
        inlay_tensor_release(t);
        return NULL;
    }
    if (h.type != INLAY_STRING && size > 0) {
        memcpy(t->data, all + h.start, size);
        fix_elements(&h, t->data, size);
    }
    return row_major(t, &h, d);
}

inlay_tensor *inlay_read_npy_bytes(const char *name, const void *bytes, size_t n, inlay_diags *d)
{
    if (inlay_is_missing(bytes, "list of bytes", d))
        return NULL;
    return npy_read(name ? name : "<memory>", bytes, n, NULL, d);
}

/* Writes the header, padded so that the elements start at a multiple of 64. */
static void make_header(const inlay_tensor *t, const char *descr, inlay_strbuf *b)
{
    enum { PREFIX = 10, ALIGNMENT = 64 };
    inlay_strbuf text = {0};
    size_t length;

    inlay_strbuf_printf(&text, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
    for (int i = 0; i < t->rank; i++)
        inlay_strbuf_printf(&text, "%s%lld", i > 0 ? ", " : "", (long long)t->dims[i]);
    inlay_strbuf_puts(&text, t->rank == 1 ? ",), }" : "), }");
    while ((PREFIX + text.n + 1) % ALIGNMENT != 0 && !text.failed)
        inlay_strbuf_puts(&text, " ");
    inlay_strbuf_puts(&text, "\n");
    length = text.n;
    inlay_strbuf_add(b, "\x93NUMPY\x01\x00", 8);
    inlay_strbuf_add(b, (char[]){(char)(length & 0xff), (char)(length >> 8)}, 2);
    if (!text.failed)
        inlay_strbuf_add(b, text.bytes, text.n);
    b->failed = b->failed || text.failed;
    inlay_strbuf_free(&text);
}

static bool write_elements(const inlay_tensor *t, const inlay_sink *to, inlay_diags *d)
{
    bool as_it_is = inlay_tensor_is_dense(t) && t->type != INLAY_BOOLEAN;
    inlay_tensor *dense = as_it_is ? inlay_tensor_retain(t) : inlay_tensor_copy(t);
    size_t n = inlay_tensor_bytes(t);
    bool ok;

    if (dense == NULL)
        return inlay_fail_memory(d);
    for (size_t i = 0; t->type == INLAY_BOOLEAN && i < n; i++)
        ((unsigned char *)dense->data)[i] = ((unsigned char *)dense->data)[i] != 0;
    ok = n == 0 || to->write(to->ctx, dense->data, n);
    inlay_tensor_release(dense);
    return ok;
}

/* Writes T as a .npy; NAME is for messages. False without an error when only the sink failed. */
static bool write_npy(const inlay_tensor *t, const inlay_sink *to, const char *name, inlay_diags *d)
{
    inlay_pos pos = {name, 0};
    const char *descr = npy_descr(t->type);
    char text_descr[32];
    size_t width = 0;
    bool utf32 = false, ok;
    inlay_strbuf header = {0};

    if (t->type == INLAY_STRING) {
        if (!npy_text_width(t, &utf32, &width, name, d))
            return false;
        snprintf(text_descr, sizeof(text_descr), "%s%zu", utf32 ? "<U" : "|S", width);
        descr = text_descr;
    }
    if (descr == NULL)
        return inlay_fail(d, &pos, "a .npy file cannot hold elements of type %s",
                          inlay_type_info_of(t->type)->name);
    make_header(t, descr, &header);
    if (header.failed) {
        inlay_strbuf_free(&header);
        return inlay_fail_memory(d);
    }
    ok = to->write(to->ctx, header.bytes, header.n) &&
         (t->type == INLAY_STRING ? npy_write_text(t, utf32, width, to) : write_elements(t, to, d));
    inlay_strbuf_free(&header);
    return ok;
}

bool inlay_files_npy(inlay_files *fs, const char *path, const inlay_tensor *t, inlay_diags *d)
{
    bool sound = !inlay_is_missing(fs, "list of files", d) && !inlay_is_missing(t, "tensor", d) &&
                 !inlay_is_missing(path, "path", d);
    file_out *o = sound ? files_add(fs, path, d) : NULL;
    inlay_sink sink = {file_out_write, o};

    return o && files_finish(fs, o, write_npy(t, &sink, path, d), d);
}

bool inlay_write_npy(const inlay_tensor *t, const char *path, inlay_diags *d)
{
    inlay_files *fs = inlay_files_new(d);
    bool ok = fs && inlay_files_npy(fs, path, t, d) && inlay_files_commit(fs, d);

    inlay_files_free(fs);
    return ok;
}
