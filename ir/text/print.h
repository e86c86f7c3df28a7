/* What the files of the printer share. Private to ir/. */
#ifndef INLAY_IR_PRINT_H
#define INLAY_IR_PRINT_H

#include "ir/graph.h"
#include "ir/strbuf.h"

/* Buffered output. */
typedef struct printer {
    inlay_strbuf buf;
    const inlay_sink *to;
    bool stopped; /* the sink has stopped the printer */
    bool full;
    bool provenance; /* print the provenance of each node */
    bool bare;       /* print neither names of tensors, labels, notes nor order edges */
    inlay_diags *diags;
    const inlay_graph *graph; /* the one that is being printed */
    uint32_t *shown;          /* by dim id of the graph being printed: ONCE, TWICE, or its number */
    uint32_t n_shown;         /* ids below this */
    uint32_t next_shown;
} printer;

/* printer.c: writes the buffer to the sink, if it is large or END is set. */
bool print_flush(printer *p, bool end);

/* print_value.c */
void print_int(inlay_strbuf *b, int64_t x);
/* The number of bytes at P, where N are left, that need no escape in quotes; 0: it does need one.
 */
size_t print_plain_length(const unsigned char *p, size_t n);
void print_string(inlay_strbuf *b, const char *bytes, size_t n);
/* Appends S, quoted unless it is a plain word. */
void print_word(inlay_strbuf *b, const char *s);
void print_ref(inlay_strbuf *b, const inlay_value *v);
void print_node_ref(inlay_strbuf *b, const inlay_node *n);
void print_shape(printer *p, int rank, const inlay_dim *dims);
void print_tensor(printer *p, const inlay_tensor *t);
void print_attr(printer *p, const inlay_attr_info *info, const inlay_attr *a);
bool print_meta(printer *p, const inlay_meta *list);

#endif
