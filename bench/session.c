/* Opening ONNX Runtime. See session.h. */
#include "bench/session.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ort_check(const ort_library *o, void *status)
{
    if (!status)
        return;
    fprintf(stderr, "bench: %s\n", ((ort_error_message *)o->api[ORT_GET_ERROR_MESSAGE])(status));
    exit(1);
}

void ort_open(ort_library *o, const char *path, int threads)
{
    void *library = dlopen(path, RTLD_NOW);
    ort_get_base *get_base = NULL;
    void *symbol = library ? dlsym(library, "OrtGetApiBase") : NULL;

    if (!symbol) {
        fprintf(stderr, "bench: %s\n", dlerror());
        exit(1);
    }
    memcpy(&get_base, &symbol,
           sizeof symbol); /* ISO C has no cast from object to function pointer */
    o->api = get_base()->get_api(ORT_API_VERSION);
    ort_check(o, ((ort_create_env *)o->api[ORT_CREATE_ENV])(ORT_LOG_ERROR, "bench", &o->env));
    ort_check(o, ((ort_create_options *)o->api[ORT_CREATE_SESSION_OPTIONS])(&o->options));
    ort_check(o, ((ort_set_threads *)o->api[ORT_SET_INTRA_OP_NUM_THREADS])(o->options, threads));
}

void *ort_session(const ort_library *o, const char *path)
{
    void *session;

    ort_check(
        o, ((ort_create_session *)o->api[ORT_CREATE_SESSION])(o->env, path, o->options, &session));
    return session;
}

void ort_release(const ort_library *o, void *session)
{
    ((ort_release_session *)o->api[ORT_RELEASE_SESSION])(session);
}
