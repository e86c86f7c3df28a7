/* Small models in memory, for tests of readers and writers. */
#ifndef TESTS_UNIT_MODELS_H
#define TESTS_UNIT_MODELS_H

#include "parser/parser.h"

/* What the diagnostics say, one a line: "12: error: text", the line number left out when it is 0.
 */
const char *model_messages(const inlay_diags *d);

/* Reads an OpenVINO model, WEIGHTS of SIZE bytes copied (NULL: none). SAID (may be NULL) receives
 * what model_messages says; the text is static. */
inlay_graph *model_read_xml(const char *xml, const void *weights, size_t size,
                            const inlay_read_options *o, const char **said);
/* Writes G; false when refused. The buffers are the caller's to free with inlay_strbuf_free. */
bool model_write_xml(const inlay_graph *g, int ir_version, inlay_strbuf *xml, inlay_strbuf *weights,
                     const char **said);

/* Writing G is refused, and what is said of it is SAID. */
void check_not_written(const inlay_graph *g, int ir_version, const char *said);

/* The folder of shared material, or the running test is skipped. */
const char *model_shared(void);
/* A whole file, NUL-terminated, to be freed; fails the test when it is not there. */
char *model_load(const char *path, size_t *size);

#endif
