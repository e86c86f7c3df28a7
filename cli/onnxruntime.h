/* The functions of ONNX Runtime that are used. Its library comes without a header; its table of
 * functions only grows at the end, so the few functions needed are called by their index:
 *
 *     status = ((ort_create_env *)api[ORT_CREATE_ENV])(ORT_LOG_ERROR, "inlay", &env);
 *
 * A status that is not NULL is an error. Private to cli and to bench, the programs that measure
 * this peer. */
#ifndef INLAY_CLI_ONNXRUNTIME_H
#define INLAY_CLI_ONNXRUNTIME_H

#include <stddef.h>
#include <stdint.h>

enum ort_place {
    ORT_GET_ERROR_MESSAGE = 2,
    ORT_CREATE_ENV = 3,
    ORT_CREATE_SESSION = 7,
    ORT_RUN = 9,
    ORT_CREATE_SESSION_OPTIONS = 10,
    ORT_SET_INTRA_OP_NUM_THREADS = 24,
    ORT_CREATE_TENSOR_WITH_DATA = 49,
    ORT_CREATE_CPU_MEMORY_INFO = 69,
    ORT_RELEASE_SESSION = 95
};
enum { ORT_API_VERSION = 8, ORT_LOG_ERROR = 3, ORT_ARENA_ALLOCATOR = 1 };

typedef void (*ort_function)(void);

/* What OrtGetApiBase, the only symbol looked up, returns. */
typedef struct ort_base {
    const ort_function *(*get_api)(uint32_t version);
} ort_base;
typedef const ort_base *ort_get_base(void);

typedef const char *ort_error_message(const void *status);
typedef void *ort_create_env(int level, const char *id, void **out);
typedef void *ort_create_options(void **out);
typedef void *ort_set_threads(void *options, int n);
typedef void *ort_create_session(void *env, const char *path, void *options, void **out);
typedef void ort_release_session(void *session);
typedef void *ort_create_memory_info(int allocator, int kind, void **out);
typedef void *ort_create_tensor(void *info, void *data, size_t bytes, const int64_t *dims,
                                size_t rank, int type, void **out);
typedef void *ort_run(void *session, void *options, const char *const *in_names,
                      const void *const *in, size_t n_in, const char *const *out_names,
                      size_t n_out, void **out);

#endif
