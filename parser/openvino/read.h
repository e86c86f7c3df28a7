/* From records to a graph: what the files of the OpenVINO reader share. */
#ifndef INLAY_PARSER_OPENVINO_READ_H
#define INLAY_PARSER_OPENVINO_READ_H

#include "parser/checksum.h"
#include "parser/openvino/records.h"
#include "parser/xml/xml.h"

/* A storage note, or (output -1) an order edge, as in the file. */
typedef struct ov_note {
    const ov_layer *layer;
    int output;
    const inlay_meta *attribute;
    const char *before; /* of an order edge: LENGTH bytes that should be the id of a layer */
    size_t length;
} ov_note;

/* An attribute in <data> that the operation does not have. */
typedef struct ov_ignored {
    const inlay_op *op;
    const char *name;
    const inlay_node *first; /* the first node that had it */
    size_t n;                /* the number of nodes that had it */
} ov_ignored;

enum { OV_IGNORED = 8 };

typedef struct ov_choice ov_choice; /* made.h */

/* The state of the reader. */
typedef struct ov_reader {
    assembler a;                    /* records are in its scratch arena */
    xml_words words;                /* frequent words, kept once */
    ov_ignored ignored[OV_IGNORED]; /* the first OV_IGNORED kinds */
    size_t n_ignored, more_ignored; /* entries; nodes that had others */
    inlay_buffer *weights;          /* or NULL */
    checksum_record recorded;       /* their recorded size and checksum; line 0: none */
    unsigned recorded_line;
    ov_choice *choices; /* invented constants that are searched for */
} ov_reader;

/* Records an error at a layer that has no node yet, in LINE (0: the layer's own line). Always
 * false. */
bool ov_fail_layer(const ov_reader *r, const ov_layer *layer, unsigned line, const char *fmt, ...)
    INLAY_PRINTF(4, 5);
bool ov_fail_line(const ov_reader *r, unsigned line, const char *fmt, ...) INLAY_PRINTF(3, 4);

/* parse.c: parses BYTES into records. NULL and an error. */
ov_net *ov_parse(ov_reader *r, const char *bytes, size_t n);

/* layers.c: sorts the layers of NET by id, gives each its incoming edges, and marks all Parameters
 * and the layers that a Result or an Assign depends on. */
bool ov_reach_layers(ov_reader *r, ov_net *net);
/* graph.c: makes the nodes of NET in the empty graph of SCOPE, and infers them unless the graph is
 * a body. */
bool ov_build_graph(ov_reader *r, ov_net *net, assemble_scope *scope);
/* ports.c: warns for each output of LAYER's node, and of nodes in its bodies, for which inference
 * contradicts the port in the file. */
void ov_compare_ports(const ov_reader *r, const ov_layer *layer);
/* Do the ports of LAYER's node, and of nodes in its bodies, agree with inference? With OPEN, a size
 * that a port leaves open must be unknown to inference, too. */
bool ov_ports_agree(const ov_layer *layer, bool open);
/* bodies.c: makes the bodies of LAYER's node, with their port maps. */
bool ov_build_bodies(ov_reader *r, ov_layer *layer);
/* variables.c: checks that each Assign has a ReadValue, and that no two assign one variable. */
bool ov_check_variables(const ov_reader *r);
/* notes.c: passes the storage notes and order edges in rt_info to the assembler. */
bool ov_take_notes(ov_reader *r, ov_layer *layer);
/* assemble_words.unresolved: warns of a note with a dangling reference. REF->at is an ov_note. */
bool ov_note_unresolved(void *reader, const assemble_ref *ref, assemble_fault fault);
/* messages.c: attributes that an operation does not have. The first function counts them, the
 * second warns of each kind once. */
void ov_ignore_attribute(ov_reader *r, const inlay_node *n, const char *name);
void ov_warn_ignored(const ov_reader *r);
/* Warns of attributes that LIST, the rt_info of N or of a port of N, gives twice. */
void ov_warn_repeated(const ov_reader *r, const inlay_node *n, const inlay_meta *list);
/* const.c: sets the value of a Const. */
bool ov_set_const(ov_reader *r, const ov_layer *layer);
/* A Const whose bytes are missing becomes a stand-in, which can still be shown, typed and written
 * back. */
bool ov_const_is_missing(const ov_reader *r, const ov_layer *layer);
bool ov_set_missing_const(ov_reader *r, const ov_layer *layer);

#endif
