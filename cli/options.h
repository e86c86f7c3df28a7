/* The options that several commands share, each explained once: `inlay help options` prints these
 * texts, and the help of a command only names the option and gives its default. */
#ifndef INLAY_CLI_OPTIONS_H
#define INLAY_CLI_OPTIONS_H

#define CLI_SHARED(name_, argument_, help_) name_, argument_, help_, .shared = true

/* Reading a model. */

#define CLI_WEIGHTS_OPTION(o)                                                                      \
    {                                                                                              \
        CLI_SHARED("--weights", "FILE",                                                            \
                   "read the weights from FILE instead of the file beside the model; `random` or " \
                   "`random:SEED` makes weights up"),                                              \
            .text = &(o).weights                                                                   \
    }
#define CLI_LINKS_OPTION(o)                                                                        \
    {                                                                                              \
        CLI_SHARED("--follow-links", NULL,                                                         \
                   "read weights also through symbolic links that leave the model's folder"),      \
            .flag = &(o).follow_links                                                              \
    }
#define CLI_DIM_OPTION(o)                                                                          \
    {                                                                                              \
        CLI_SHARED("--dim", "NAME=SIZE",                                                           \
                   "set the size called NAME (`?#NAME` in `inlay info`) in all inputs"),           \
            .list = &(o).dims                                                                      \
    }
#define CLI_EXTENSION_OPTION(o)                                                                    \
    {                                                                                              \
        CLI_SHARED("--extension", "FILE.so",                                                       \
                   "add the operations of an extension; its code is run, so load only what you "   \
                   "trust"),                                                                       \
            .list = &(o).extensions                                                                \
    }
#define CLI_MAP_OPTION(o)                                                                          \
    {                                                                                              \
        CLI_SHARED("--no-mmap", NULL,                                                              \
                   "read files of 64 MiB and more into memory, too, instead of mapping them: a "   \
                   "mapped one must not change while the command runs"),                           \
            .flag = &(o).never_map                                                                 \
    }
#define CLI_READ_OPTIONS(o)                                                                        \
    CLI_WEIGHTS_OPTION(o), CLI_LINKS_OPTION(o), CLI_MAP_OPTION(o), CLI_DIM_OPTION(o),              \
        CLI_EXTENSION_OPTION(o)
#define CLI_UNKNOWN_OPTION(o)                                                                      \
    {                                                                                              \
        CLI_SHARED("--allow-unknown", NULL,                                                        \
                   "accept operations that Inlay does not know and keep them as they are; such a " \
                   "model can be looked at and converted, but not run"),                           \
            .flag = &(o).allow_unknown                                                             \
    }
#define CLI_SHAPE_OPTION(to)                                                                       \
    {                                                                                              \
        CLI_SHARED("--shape", "NAME=DIMS",                                                         \
                   "set the shape of input NAME, such as 2,?,8; ? leaves a size as the model has " \
                   "it"),                                                                          \
            .list = &(to)                                                                          \
    }
#define CLI_CARRY_OPTION(o)                                                                        \
    {                                                                                              \
        CLI_SHARED("--carry", "OUTPUT=INPUT",                                                      \
                   "keep OUTPUT inside the session as the INPUT of the next run, as a variable "   \
                   "is; it can then be written, and grow, in place"),                              \
            .list = &(o).carry                                                                     \
    }

/* Inputs. */

#define CLI_GIVEN_OPTION(to, usual_)                                                               \
    {                                                                                              \
        CLI_SHARED("-i", "NAME=WHAT",                                                              \
                   "give input NAME (#0 is the first): WHAT is FILE.npy, a number, a list such "   \
                   "as [1,2,3] or [[1,2],[3,4]], a picture (FILE.png, FILE.jpg), zeros, ones, "    \
                   "iota, random or random:LOW:HIGH. `,donate` at its end gives the buffer away, " \
                   "so that the run may write over it. -i FILE.npz gives every input that the "    \
                   "archive names"),                                                               \
            .list = &(to), .usual = usual_                                                         \
    }
#define CLI_LAYOUT_OPTION(to)                                                                      \
    {                                                                                              \
        CLI_SHARED("--layout", "NCHW|NHWC",                                                        \
                   "where a picture has its channels: before or after height and width"),          \
            .text = &(to), .usual = "as the input"                                                 \
    }
#define CLI_MEAN_OPTION(to)                                                                        \
    {                                                                                              \
        CLI_SHARED("--mean", "M,M,M",                                                              \
                   "of a picture, whose pixels are 0 to 255: each element is (pixel - mean) / "    \
                   "std; one number, or one for each channel"),                                    \
            .text = &(to), .usual = "0"                                                            \
    }
#define CLI_STD_OPTION(to)                                                                         \
    {                                                                                              \
        CLI_SHARED("--std", "S,S,S", "of a picture: see --mean; 255 makes elements from 0 to 1"),  \
            .text = &(to), .usual = "1"                                                            \
    }
#define CLI_RESIZE_OPTION(to)                                                                      \
    {                                                                                              \
        CLI_SHARED("--resize", "WxH",                                                              \
                   "make a picture W wide and H high before that, by linear interpolation "        \
                   "between the middles of pixels"),                                               \
            .text = &(to)                                                                          \
    }
#define CLI_SEED_OPTION(to, usual_)                                                                \
    {                                                                                              \
        CLI_SHARED("--seed", "S",                                                                  \
                   "start made-up numbers at S; one S gives the same numbers again"),              \
            .text = &(to), .usual = usual_                                                         \
    }
#define CLI_TRIALS_OPTION(to, usual_)                                                              \
    {                                                                                              \
        CLI_SHARED("--trials", "N", "compare on N sets of made-up inputs"), .text = &(to),         \
                                                                            .usual = usual_        \
    }
#define CLI_RTOL_OPTION(to, usual_)                                                                \
    {                                                                                              \
        CLI_SHARED(                                                                                \
            "--rtol", "X",                                                                         \
            "relative tolerance: a and b agree where |a - b| <= atol + rtol |a|; with both "       \
            "0 they must be equal bit for bit"),                                                   \
            .text = &(to), .usual = usual_                                                         \
    }
#define CLI_ATOL_OPTION(to, usual_)                                                                \
    {                                                                                              \
        CLI_SHARED("--atol", "X", "absolute tolerance: see --rtol"), .text = &(to),                \
                                                                     .usual = usual_               \
    }

/* Rewriting. */

#define CLI_LOAD_OPTION(list_)                                                                     \
    {                                                                                              \
        CLI_SHARED("--load", "FILE.so",                                                            \
                   "add the passes of a plugin; its code is run, so load only what you trust"),    \
            .list = &(list_)                                                                       \
    }
#define CLI_RULES_OPTION(o)                                                                        \
    {                                                                                              \
        CLI_SHARED("--rules", "FILE",                                                              \
                   "add the rewrite rules in FILE; pass `rules`, which is one of `default`, "      \
                   "applies them"),                                                                \
            .list = &(o).rules                                                                     \
    }
#define CLI_PASS_OPTIONS(o)                                                                        \
    {CLI_SHARED("--passes", "LIST",                                                                \
                "run these passes: none, default, or names with commas (see `inlay passes`)"),     \
     .text = &(o).passes},                                                                         \
        {CLI_SHARED("--disable", "PASS", "leave this pass out"), .list = &(o).disable},            \
        CLI_RULES_OPTION(o), CLI_LOAD_OPTION((o).load)

/* Running. */

#define CLI_EXEC_OPTION(to, usual_)                                                                \
    {                                                                                              \
        CLI_SHARED("--exec", "MODE",                                                               \
                   "planned: the fast executor, which writes in place; reference: the plain one, " \
                   "which gives every value a buffer of its own"),                                 \
            .text = &(to), .usual = usual_                                                         \
    }
#define CLI_KERNELS_OPTION(to)                                                                     \
    {                                                                                              \
        CLI_SHARED("--kernels", "WHICH",                                                           \
                   "kernels of the planned executor: portable, the same bits everywhere; onednn, " \
                   "where libinlay-onednn.so was built; reference, plain loops"),                  \
            .text = &(to), .usual = "portable"                                                     \
    }

/* Limits. */

#define CLI_PLACE_OPTIONS(o)                                                                       \
    {CLI_SHARED("--require-in-place", NULL,                                                        \
                "exit with 1 where a copy remains, and say why it does"),                          \
     .flag = &(o).require_in_place},                                                               \
        {CLI_SHARED("--max-copied", "BYTES",                                                       \
                    "exit with 1 where a run copies more, such as 64K, and name the steps; `run` " \
                    "and `bench` check the measured value, `opt` and `plan` the predicted one, "   \
                    "with inputs kept"),                                                           \
         .text = &(o).max_copied},                                                                 \
        {CLI_SHARED("--prefer", "WHAT",                                                            \
                    "peak: as few copies as a run can have that holds no more memory than one "    \
                    "without storage notes; copies: fewer still, whatever it holds, as "           \
                    "--require-in-place wants it"),                                                \
         .text = &(o).prefer, .usual = "peak"},                                                    \
    {                                                                                              \
        CLI_SHARED("--max-peak", "BYTES",                                                          \
                   "exit with 1 where a run holds more memory at its peak, such as 2M, and name "  \
                   "what is alive then"),                                                          \
            .text = &(o).max_peak                                                                  \
    }
#define CLI_BOUNDED_MEMORY_OPTION(o, usual_)                                                       \
    {                                                                                              \
        CLI_SHARED("--max-memory", "BYTES",                                                        \
                   "stop with an error instead of holding more memory, such as 512M"),             \
            .text = &(o).max_memory, .usual = usual_                                               \
    }
#define CLI_MEMORY_OPTION(o) CLI_BOUNDED_MEMORY_OPTION(o, "3/4 of the machine")
#define CLI_ITERATIONS_OPTION(o, usual_)                                                           \
    {                                                                                              \
        CLI_SHARED(                                                                                \
            "--max-iterations", "N",                                                               \
            "stop a run with an error when its loops make more than N iterations together"),       \
            .text = &(o).max_iterations, .usual = usual_                                           \
    }
#define CLI_LIMIT_OPTIONS(o) CLI_MEMORY_OPTION(o), CLI_ITERATIONS_OPTION(o, "no limit")

#define CLI_SECONDS_OPTION(to, usual_)                                                             \
    {                                                                                              \
        CLI_SHARED(                                                                                \
            "--seconds", "N",                                                                      \
            "time limit: of one graph in `fuzz`, where longer counts as a hang; of one run "       \
            "of the command in `reduce`; of one test in `run`; of one answer of z3 in `prove`"),   \
            .text = &(to), .usual = usual_                                                         \
    }

/* Results. */

#define CLI_OUT_OPTION(to, usual_)                                                                 \
    {                                                                                              \
        CLI_SHARED(                                                                                \
            "-o", "OUT",                                                                           \
            "write the graph to OUT, whose ending says the format: .xml (OpenVINO IR, with a "     \
            ".bin), .onnx, .json or .inlay (text); `view` writes a page, .html"),                  \
            .text = &(to), .usual = usual_                                                         \
    }
/* How the files of a format are written: cli_write_options. */
#define CLI_WRITE_OPTIONS(w)                                                                       \
    {"--ir-version", "10|11",                                                                      \
     "version of the OpenVINO IR that is written (default: the model's own, else 11)",             \
     .text = &(w).version},                                                                        \
        {"--opset", "N",                                                                           \
         "operator set of the ONNX model that is written, 17 to 28 (default: 17, or the least "    \
         "that the graph needs)",                                                                  \
         .text = &(w).opset},                                                                      \
    {                                                                                              \
        "--external", "FILE", "write weights above 1 MiB of an ONNX model to FILE, beside it",     \
            .text = &(w).external                                                                  \
    }
#define CLI_JSON_OPTION(to)                                                                        \
    {                                                                                              \
        CLI_SHARED("--json", NULL, "print JSON, for programs"), .flag = &(to)                      \
    }

#endif
