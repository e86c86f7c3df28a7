/* libxml2, which is opened when the first document is read: it brings ICU and a C++ runtime along,
 * and a program that reads no XML would pay two milliseconds at its start for them. */
#ifndef INLAY_PARSER_XML_LIBRARY_H
#define INLAY_PARSER_XML_LIBRARY_H

#include "ir/diag.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <stdbool.h>

/* The functions of libxml2 that are called: FUNCTION(name) for each, with the name and the type of
 * its header. */
#define XML_LIBRARY(FUNCTION)                                                                      \
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

/* Opens libxml2, unless it is open, which it then stays. False: it is not there, and D has an
 * error. */
bool xml_library_open(xml_library *l, inlay_diags *d);

#endif
