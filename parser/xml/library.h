/* Opens libxml2 when the first document is read: it loads ICU and a C++ runtime, which would cost
 * programs that read no XML two milliseconds at their start. */
#ifndef INLAY_PARSER_XML_LIBRARY_H
#define INLAY_PARSER_XML_LIBRARY_H

#include "ir/diag.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <stdbool.h>

/* The functions of libxml2 that are used: FUNCTION(name) for each, with name and type as in its
 * headers. */
#define XML_LIBRARY(FUNCTION)                                                                      \
    FUNCTION(xmlInitParser)                                                                        \
    FUNCTION(xmlNewParserCtxt)                                                                     \
    FUNCTION(xmlFreeParserCtxt)                                                                    \
    FUNCTION(xmlCtxtReadIO)                                                                        \
    FUNCTION(xmlStopParser)                                                                        \
    FUNCTION(xmlSAX2GetLineNumber)                                                                 \
    FUNCTION(xmlDictLookup)                                                                        \
    FUNCTION(xmlDictReference)                                                                     \
    FUNCTION(xmlDictFree)                                                                          \
    FUNCTION(xmlSetStructuredErrorFunc)                                                            \
    FUNCTION(__xmlStructuredError)                                                                 \
    FUNCTION(__xmlStructuredErrorContext)

typedef struct xml_library {
#define XML_MEMBER(name) __typeof__(name) *name;
    XML_LIBRARY(XML_MEMBER)
#undef XML_MEMBER
} xml_library;

/* Opens libxml2 unless it is open; it stays open. False: it cannot be loaded, and D has an error.
 */
bool xml_library_open(xml_library *l, inlay_diags *d);

#endif
