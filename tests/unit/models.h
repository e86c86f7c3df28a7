/* Small models in memory, for tests of readers and writers. */
#ifndef TESTS_UNIT_MODELS_H
#define TESTS_UNIT_MODELS_H

#include "parser/parser.h"

/* Returns what the diagnostics say, one message in a line: "12: error: text", where the line number
 * is left out when it is 0. */
const char *model_messages(const inlay_diags *d);

/* Reads an OpenVINO model, WEIGHTS of SIZE bytes copied (NULL: none). SAID (may be NULL) receives
 * what model_messages says; the text is static. */
inlay_graph *model_read_xml(const char *xml, const void *weights, size_t size,
                            const inlay_read_options *o, const char **said);
/* Writes G; false when G is refused. The caller frees the buffers with inlay_strbuf_free. */
bool model_write_xml(const inlay_graph *g, int ir_version, inlay_strbuf *xml, inlay_strbuf *weights,
                     const char **said);

/* Checks that writing G is refused, and that the message is SAID. */
void check_not_written(const inlay_graph *g, int ir_version, const char *said);

/* Returns the folder of shared material, or skips the running test. */
const char *model_shared(void);
/* Returns a whole file, NUL-terminated, which the caller frees; fails the test when the file is not
 * there. */
char *model_load(const char *path, size_t *size);

#endif
