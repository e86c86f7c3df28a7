/* numpy's .npy format: what the files of this folder share. It includes headers of parser/ itself
 * and of no folder beside it. Private to parser/. */
#ifndef INLAY_PARSER_NPY_H
#define INLAY_PARSER_NPY_H

#include "parser/formats.h"
#include "parser/parser.h"

/* The contents of the header of a .npy file. */
typedef struct npy_header {
    inlay_type type; /* INLAY_STRING for both kinds of text */
    bool utf32;      /* text is UTF-32, else bytes */
    bool swapped;    /* elements have the other byte order than this machine */
    bool fortran;    /* the first dimension varies fastest */
    size_t item;     /* bytes of an element in the file */
    int rank;
    int64_t dims[INLAY_MAX_RANK];
    size_t start; /* offset of the elements */
} npy_header;

/* header.c: reads the header of the file NAME, which has N bytes. */
bool npy_read_header(const unsigned char *bytes, size_t n, const char *name, npy_header *h,
                     inlay_diags *d);
/* Returns numpy's name of TYPE in a header ("<f4"). NULL: a .npy file cannot have such elements. */
const char *npy_descr(inlay_type type);

/* text.c: reads text elements into T. Each element is h->item bytes at BYTES, padded with zeros. */
bool npy_read_text(const npy_header *h, const unsigned char *bytes, inlay_tensor *t,
                   const char *name, inlay_diags *d);
/* Sets *WIDTH to that of the widest element of T, as numpy counts (5 for "<U5"), and *UTF32 to
 * whether every element is UTF-8, and so can be stored as UTF-32. */
bool npy_text_width(const inlay_tensor *t, bool *utf32, size_t *width, const char *name,
                    inlay_diags *d);
/* Writes the elements of T, each padded to WIDTH. */
bool npy_write_text(const inlay_tensor *t, bool utf32, size_t width, const inlay_sink *to);

#endif
