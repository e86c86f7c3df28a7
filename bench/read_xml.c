/* The time to read OpenVINO IR, compared in one run: libxml2's bare SAX pass over a model of many
 * layers, and from the same bytes to a verified graph; then to open a model with a weights file of
 * 1 GiB. usage: read_xml [LAYERS] */
#include "bench/measure.h"
#include "parser/parser.h"

#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RUNS = 9 };

/* the model: Const, Add, ReLU, Const, Add, ReLU, ... as OpenVINO writes them */

#define DIMS                                                                                       \
    "\t\t\t\t\t<dim>1</dim>\n\t\t\t\t\t<dim>64</dim>\n\t\t\t\t\t<dim>56</dim>\n"                   \
    "\t\t\t\t\t<dim>56</dim>\n"

static void port(inlay_strbuf *b, int id, const char *name)
{
    inlay_strbuf_printf(b, "\t\t\t\t<port id=\"%d\" precision=\"FP32\"", id);
    if (name)
        inlay_strbuf_printf(b, " names=\"%s\"", name);
    inlay_strbuf_puts(b, ">\n" DIMS "\t\t\t\t</port>\n");
}

static void layer(inlay_strbuf *b, int id, const char *type, const char *data, int n_in)
{
    char name[64];

    snprintf(name, sizeof name, "model/block_%d/%s", id / 3, type);
    inlay_strbuf_printf(b, "\t\t<layer id=\"%d\" name=\"%s\" type=\"%s\" version=\"opset1\">\n", id,
                        name, type);
    if (data)
        inlay_strbuf_printf(b, "\t\t\t<data %s />\n", data);
    if (n_in > 0) {
        inlay_strbuf_puts(b, "\t\t\t<input>\n");
        for (int i = 0; i < n_in; i++)
            port(b, i, NULL);
        inlay_strbuf_puts(b, "\t\t\t</input>\n");
    }
    if (strcmp(type, "Result") != 0) {
        inlay_strbuf_puts(b, "\t\t\t<output>\n");
        port(b, n_in, name);
        inlay_strbuf_puts(b, "\t\t\t</output>\n");
    }
    inlay_strbuf_puts(b, "\t\t</layer>\n");
}

static void edge(inlay_strbuf *b, int from, int from_port, int to, int to_port)
{
    inlay_strbuf_printf(
        b, "\t\t<edge from-layer=\"%d\" from-port=\"%d\" to-layer=\"%d\" to-port=\"%d\" />\n", from,
        from_port, to, to_port);
}

static void generate(inlay_strbuf *b, int layers)
{
    const char *shape = "element_type=\"f32\" shape=\"1,64,56,56\"";
    const char *weight =
        "element_type=\"f32\" shape=\"1, 64, 56, 56\" offset=\"0\" size=\"802816\"";
    int id = 1, last = 0, last_port = 0;

    inlay_strbuf_puts(b,
                      "<?xml version=\"1.0\"?>\n<net name=\"bench\" version=\"11\">\n\t<layers>\n");
    layer(b, 0, "Parameter", shape, 0);
    for (; id + 3 < layers; id += 3) {
        layer(b, id, "Const", weight, 0);
        layer(b, id + 1, "Add", "auto_broadcast=\"numpy\"", 2);
        layer(b, id + 2, "ReLU", NULL, 1);
    }
    layer(b, id, "Result", NULL, 1);
    inlay_strbuf_puts(b, "\t</layers>\n\t<edges>\n");
    for (int k = 1; k < id; k += 3) {
        edge(b, last, last_port, k + 1, 0);
        edge(b, k, 0, k + 1, 1);
        edge(b, k + 1, 2, k + 2, 0);
        last = k + 2;
        last_port = 1;
    }
    edge(b, last, last_port, id, 0);
    inlay_strbuf_puts(b, "\t</edges>\n</net>\n");
    if (b->failed)
        die("generating the model", NULL);
}

/* the bare pass */

static size_t elements;

static void on_start(void *ctx, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                     int n_ns, const xmlChar **ns, int n, int n_default, const xmlChar **attrs)
{
    (void)ctx, (void)name, (void)prefix, (void)uri, (void)n_ns, (void)ns, (void)n, (void)n_default,
        (void)attrs;
    elements++;
}

static void on_end(void *ctx, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    (void)ctx, (void)name, (void)prefix, (void)uri;
}

static void on_text(void *ctx, const xmlChar *text, int n)
{
    (void)ctx, (void)text, (void)n;
}

static double bare_pass(const inlay_strbuf *b)
{
    xmlSAXHandler sax = {.initialized = XML_SAX2_MAGIC,
                         .startElementNs = on_start,
                         .endElementNs = on_end,
                         .characters = on_text,
                         .ignorableWhitespace = on_text};
    double t = now();

    elements = 0;
    if (xmlSAXUserParseMemory(&sax, NULL, b->bytes, (int)b->n) != 0)
        die("the bare pass", NULL);
    return now() - t;
}

/* reading to a verified graph; freeing it is timed, too */

struct times {
    double read, verify, free;
};

static void read_once(const inlay_strbuf *b, inlay_buffer *weights, struct times *t)
{
    inlay_diags *d = inlay_diags_new();
    double start = now(), read, verified;
    inlay_graph *g = inlay_read_xml("bench.xml", b->bytes, b->n, weights, NULL, d);

    if (!g)
        die("reading", d);
    read = now();
    if (!inlay_check_graph(g, d))
        die("verifying", d);
    verified = now();
    inlay_graph_free(g);
    inlay_diags_free(d);
    t->read = read - start;
    t->verify = verified - read;
    t->free = now() - verified;
}

/* Each run measures the pass and then the reader, under the same load. */
static void compare(int layers)
{
    static char zeros[802816];
    inlay_strbuf b = {0};
    inlay_buffer *weights = inlay_buffer_wrap(zeros, sizeof zeros, NULL, NULL);
    double sax[RUNS], read[RUNS], verify[RUNS], freeing[RUNS], ratio[RUNS], all[RUNS];

    generate(&b, layers);
    for (int i = 0; i < RUNS; i++) {
        struct times t;

        sax[i] = bare_pass(&b);
        read_once(&b, weights, &t);
        read[i] = t.read;
        verify[i] = t.verify;
        freeing[i] = t.free;
        ratio[i] = t.read / sax[i];
        all[i] = (t.read + t.verify) / sax[i];
    }
    printf("model of %d layers, %.1f MB of XML, %zu elements; medians of %d runs\n", layers,
           (double)b.n / 1e6, elements, RUNS);
    printf("  bare SAX pass       %8.1f ms\n", median(sax, RUNS) * 1e3);
    printf("  read (and infer)    %8.1f ms  %5.2f x the pass\n", median(read, RUNS) * 1e3,
           median(ratio, RUNS));
    printf("  verify once more    %8.1f ms\n", median(verify, RUNS) * 1e3);
    printf("  read and verify               %7.2f x the pass (the aim: 3)\n", median(all, RUNS));
    printf("  free                %8.1f ms\n", median(freeing, RUNS) * 1e3);
    inlay_buffer_release(weights);
    inlay_strbuf_free(&b);
}

/* large weights */

static long resident_kib(void)
{
    long pages = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");

    if (f && fscanf(f, "%ld %ld", &pages, &resident) != 2)
        resident = 0;
    if (f)
        fclose(f);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static const char large_model[] =
    "<net name=\"large\" version=\"11\"><layers>"
    "<layer id=\"0\" name=\"w\" type=\"Const\" version=\"opset1\"><data element_type=\"f32\" "
    "shape=\"268435456\" offset=\"0\" size=\"1073741824\"/><output><port id=\"0\" "
    "precision=\"FP32\"><dim>268435456</dim></port></output></layer>"
    "<layer id=\"1\" name=\"y\" type=\"Result\" version=\"opset1\"><input><port id=\"0\"/></input>"
    "</layer></layers><edges><edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"0\"/>"
    "</edges></net>";

static void open_large(void)
{
    char dir[] = "/tmp/inlay-bench-XXXXXX", xml[64], bin[64];
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g;
    FILE *f;
    long before;
    double t;

    if (!mkdtemp(dir))
        die("a temporary folder", NULL);
    snprintf(xml, sizeof xml, "%s/m.xml", dir);
    snprintf(bin, sizeof bin, "%s/m.bin", dir);
    f = fopen(xml, "w");
    if (!f || fputs(large_model, f) < 0 || fclose(f) != 0)
        die("writing the model", NULL);
    f = fopen(bin, "w");
    if (!f || ftruncate(fileno(f), 1L << 30) != 0 || fclose(f) != 0)
        die("making the weights", NULL);
    before = resident_kib();
    t = now();
    g = inlay_read_file(xml, NULL, d);
    t = now() - t;
    if (!g)
        die("opening the large model", d);
    printf("model with 1 GiB of weights\n  opened in           %8.2f ms\n", t * 1e3);
    printf("  resident growth     %8ld KiB\n", resident_kib() - before);
    inlay_graph_free(g);
    inlay_diags_free(d);
    unlink(xml);
    unlink(bin);
    rmdir(dir);
}

int main(int argc, char **argv)
{
    int layers = argc > 1 ? atoi(argv[1]) : 100000;

    if (layers < 5) {
        fprintf(stderr, "usage: read_xml [LAYERS]\n");
        return 2;
    }
    compare(layers);
    open_large();
    return 0;
}
