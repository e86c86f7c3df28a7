/* Looks up the functions of libxml2 in the shared library that matches its headers. */
#include "parser/xml/library.h"
#include "ir/shared.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

#if LIBXML_VERSION >= 21400
#define XML_SONAME "libxml2.so.16"
#else
#define XML_SONAME "libxml2.so.2"
#endif

static pthread_once_t initialised = PTHREAD_ONCE_INIT;

/* When memory runs out, the C library reports "cannot create shared object descriptor" or the like;
 * errno tells the real reason. */
static bool fail(inlay_diags *d)
{
    bool memory = errno == ENOMEM;
    const char *why = dlerror();

    if (memory)
        return inlay_fail_memory(d);
    return inlay_fail(d, NULL, "XML cannot be read without libxml2: %s", why ? why : XML_SONAME);
}

bool xml_library_open(xml_library *l, inlay_diags *d)
{
    void *library;

    errno = 0;
    library = dlopen(XML_SONAME, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library)
        return fail(d);
#define XML_FIND(name)                                                                             \
    if (!(*(void **)&l->name = dlsym(library, #name)))                                             \
        return fail(d);
    XML_LIBRARY(XML_FIND)
#undef XML_FIND
    /* Readers in several threads would make its locks at the same time. */
    pthread_once(&initialised, l->xmlInitParser);
    return true;
}
