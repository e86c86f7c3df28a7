/* Writing OpenVINO IR: what the files of the writer share. */
#ifndef INLAY_PARSER_OPENVINO_WRITE_H
#define INLAY_PARSER_OPENVINO_WRITE_H

#include "parser/checksum.h"
#include "parser/xml/write.h"

struct ov_weight; /* one range of the weights file */

typedef struct ov_weights {
    const inlay_sink *to;
    inlay_budget *budget;
    checksum sum; /* of what was written so far */
    struct ov_weight *list;
    size_t n, cap;
    size_t *table; /* open addressing over list: index + 1, 0 is free */
    size_t table_size;
} ov_weights;

/* The state of the writer. */
typedef struct ov_writer {
    xml_writer x; /* the document */
    int version;
    ov_weights weights;
    bool some_weights, some_missing; /* some constants had bytes, some had none */
} ov_writer;

/* number.c */

/* A graph's nodes in the order of the file, and the layer id of each by node id (-1: not written).
 */
typedef struct ov_numbering {
    const inlay_graph *graph;
    inlay_node **nodes;
    size_t n;
    int64_t *ids;
    bool *label_ok; /* by layer id: reading its label as a name gives its name again */
    const inlay_order_edge **edges; /* sorted by the layer that must run later */
    size_t n_edges;
} ov_numbering;

bool ov_number(ov_writer *w, const inlay_graph *g, ov_numbering *num);
void ov_free_numbering(ov_numbering *num);
int64_t ov_layer_id(const ov_numbering *num, const inlay_node *n);
/* Returns the number of order edges to N; *FIRST is the position of the first in num->edges. */
size_t ov_order_edges(const ov_numbering *num, const inlay_node *n, size_t *first);
/* Returns the layer's name in the file. */
const char *ov_layer_name(ov_writer *w, const ov_numbering *num, const inlay_node *n);

/* write.c: writes <layers>, <edges> and the metadata of one graph. */
void ov_put_net(ov_writer *w, const ov_numbering *num);

/* write_ports.c */

/* Returns the number of inputs of N in the file. Absent inputs at the end are omitted. */
int ov_written_inputs(const inlay_node *n);
/* The same number; -1 and an error when an absent input precedes others and N is an operation of
 * OpenVINO, which could not read such a file. */
int ov_count_inputs(ov_writer *w, const inlay_node *n);
/* Writes <input> and <output> of N, which has N_IN inputs in the file. */
void ov_put_ports(ov_writer *w, const ov_numbering *num, const inlay_node *n, int n_in);
/* Writes the metadata of N, and its incoming order edges. */
void ov_put_layer_rt_info(ov_writer *w, const ov_numbering *num, const inlay_node *n);

/* demands.c: if *G does not meet OpenVINO's demands, sets *G and *COPY to a copy that does and that
 * the caller frees. Otherwise sets *COPY to NULL. */
bool ov_meet_demands(const inlay_graph **g, inlay_graph **copy, inlay_diags *d);

/* write_bodies.c */

enum { OV_MAX_BODIES = 2 };

/* Numbers the layers of the bodies of N, to which port maps refer. False: an error is recorded, and
 * there is nothing to free. */
bool ov_number_bodies(ov_writer *w, const inlay_node *n, ov_numbering *bodies);
/* Writes port maps and back edges of N, which has N_IN inputs in the file. */
void ov_put_port_maps(ov_writer *w, const inlay_node *n, int n_in, const ov_numbering *bodies);

/* attrs.c: writes the attributes of N inside <data>. */
void ov_put_attributes(ov_writer *w, const inlay_node *n);

/* weights.c */

/* Sets *OFFSET and *SIZE to the range of T's bytes in the weights file; writes them unless equal
 * bytes were written before. */
bool ov_put_weights(ov_writer *w, const inlay_tensor *t, uint64_t *offset, uint64_t *size);
void ov_free_weights(ov_weights *w);

#endif
