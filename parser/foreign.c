/* Recognises formats that are not supported. See foreign.h. */
#include "parser/foreign.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

enum { BEGINNING = 4096 }; /* the number of bytes examined */

/* A file has this format if the LENGTH bytes at OFFSET are BYTES and, if AFTER is given, that word
 * occurs somewhere in the first BEGINNING bytes. */
struct magic {
    const char *bytes;
    size_t offset, length;
    const char *after; /* or NULL */
    const char *what;
};

#define NOT_READ ", which is not read yet"

/* The first entry that matches decides. */
static const struct magic magics[] = {
    {"GGUF", 0, 4, NULL, "a GGUF model" NOT_READ},
    {"TFL3", 4, 4, NULL, "a TensorFlow Lite model" NOT_READ},
    {"\x08\x01\x12", 0, 3, NULL, "a TensorFlow SavedModel" NOT_READ},
    {"\x89HDF\r\n\x1a\n", 0, 8, NULL, "an HDF5 file, as Keras writes them" NOT_READ},
    {"PK\x03\x04", 0, 4, "data.pkl", "a PyTorch file" NOT_READ},
    {"PK\x03\x04", 0, 4, "config.json", "a Keras model" NOT_READ},
    {"PK\x03\x04", 0, 4, ".npy", "an .npz archive: inputs (`-i FILE.npz`), and no model"},
    {"PK\x03\x04", 0, 4, NULL, "a zip archive, and no model"},
    {"\x80\x02", 0, 2, NULL, "a pickle of Python, as PyTorch writes them" NOT_READ},
    {"\x93NUMPY", 0, 6, NULL, "an array of numpy: an input (`-i NAME=FILE`), and no model"},
    {"\x1f\x8b", 0, 2, NULL, "a file that gzip has packed; unpack it first"},
};

/* Formats without a signature of their own, recognised by the ending of the name. */
static const struct {
    const char *ending, *what;
} endings[] = {
    {".ort", "an ONNX Runtime model" NOT_READ},
    {".tflite", "a TensorFlow Lite model" NOT_READ},
    {".pb", "a TensorFlow graph" NOT_READ},
    {".pbtxt", "a TensorFlow graph" NOT_READ},
    {".pt", "a PyTorch file" NOT_READ},
    {".pth", "a PyTorch file" NOT_READ},
    {".safetensors", "a safetensors file: weights" NOT_READ},
    {".mlmodel", "a Core ML model" NOT_READ},
    {".bin", "a file of weights; name the model (.xml or .json) beside it"},
};

static bool holds(const char *bytes, size_t n, const char *word)
{
    size_t length = strlen(word);

    for (size_t i = 0; i + length <= n; i++) {
        if (memcmp(bytes + i, word, length) == 0)
            return true;
    }
    return false;
}

/* A safetensors file begins with the length of a JSON object, as eight bytes, and the object. */
static bool is_safetensors(const char *bytes, size_t n)
{
    uint64_t length = 0;

    for (int i = 7; i >= 0 && n > 8; i--)
        length = length << 8 | (unsigned char)bytes[i];
    return n > 8 && bytes[8] == '{' && length >= 2 && length <= n - 8;
}

const char *foreign_by_content(const char *bytes, size_t n)
{
    size_t beginning = n < BEGINNING ? n : BEGINNING;

    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        const struct magic *m = &magics[i];

        if (n >= m->offset + m->length && memcmp(bytes + m->offset, m->bytes, m->length) == 0 &&
            (!m->after || holds(bytes, beginning, m->after)))
            return m->what;
    }
    return is_safetensors(bytes, n) ? "a safetensors file: weights" NOT_READ : NULL;
}

const char *foreign_by_name(const char *path)
{
    const char *ending = strrchr(path, '.');

    for (size_t i = 0; ending && i < sizeof endings / sizeof *endings; i++) {
        if (strcasecmp(ending, endings[i].ending) == 0)
            return endings[i].what;
    }
    return NULL;
}
