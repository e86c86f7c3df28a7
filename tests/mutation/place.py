"""Puts mutants of a C file into one text, each to be chosen by its number when the program runs.

A function that has mutants stands once more for each, with the changed line, and the original begins with a jump to the
one whose number $MUTANT_NUMBER holds. What comes to a line that has a mutant notes it (HOOK), if a test asks for that.
"""
import re

# A source of its own in a folder of the library, and one in each program or module that links less.
HOOK = """\
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

__attribute__((visibility("hidden"))) int mutant_number;
static unsigned char nowhere[%d];
__attribute__((visibility("hidden"))) unsigned char *mutants_met = nowhere;

/* The file of $MUTANTS_MET has a byte for each mutant, and is shared by all processes of a test. */
__attribute__((constructor)) static void begin_mutants(void)
{
    const char *number = getenv("MUTANT_NUMBER"), *path = getenv("MUTANTS_MET");
    int file = path ? open(path, O_RDWR) : -1;
    void *met = MAP_FAILED;

    if (file >= 0) {
        met = mmap(NULL, sizeof nowhere, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
    }
    mutant_number = number ? atoi(number) : 0;
    if (met != MAP_FAILED)
        mutants_met = met;
}
"""
DECLARED = 'extern __attribute__((visibility("hidden"))) int mutant_number; ' \
    'extern __attribute__((visibility("hidden"))) unsigned char *mutants_met;'
CONDITION = re.compile(r"(\s*(?:\} else )?if \()(.*)")


def functions(lines):
    """Of each function where its head, its brace and its end stand in LINES."""
    for brace, line in enumerate(lines):
        if line == "{":
            head = brace - 1
            while head > 0 and not re.match(r"\w.*\w\(", lines[head]):
                head -= 1
            yield head, brace, lines.index("}", brace)


def parameters(text):
    """The names of the parameters, as they stand between the parentheses of the head."""
    depth, words = 0, [""]
    for c in text:
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            words.append("")
        else:
            words[-1] += c
    for word in words:
        name = re.search(r"\(\*(\w+)", word) or re.search(r"(\w+)$", re.sub(r"\[[^\]]*\]", "", word).strip())
        yield name.group(1) if name else "?"  # which does not compile


def without_comments(text):
    """TEXT, with spaces for comments."""
    return re.sub(r"/\*.*?\*/", lambda comment: re.sub(r"[^\n]", " ", comment.group()), text, flags=re.S)


def begins_statement(lines, at):
    before = without_comments("\n".join(lines[:at])).rstrip()
    return before.endswith((";", "{", "}", ":"))


def mark(body, at, note):
    """Puts NOTE where BODY begins the statement that line AT belongs to; false where that cannot be said."""
    while at > 1 and not begins_statement(body, at):
        at -= 1
    condition = CONDITION.match(body[at])
    if condition:
        body[at] = f"{condition.group(1)}{note}, {condition.group(2)}"
    elif at > 0 and not re.match(r"\s*(\}|else\b|case\b|default\b|\w+:|/\*|#)", body[at]):
        body[at] = f"{note}; {body[at]}"
    else:
        return False
    return True


def function_with(lines, head, brace, end, mutants):
    """The text of a function with MUTANTS: (number, number of the line, new text, whether the line is marked)."""
    declared = " ".join(lines[head:brace])
    name = re.search(r"(\w+)\(", declared).group(1)
    told = declared[declared.index(name + "(") + len(name) + 1:declared.rindex(")")]
    given = "" if told.strip() == "void" else ", ".join(parameters(told))
    returns = "" if re.match(r"(static |inline )*void \w+\(", declared) else "return "
    bare = re.sub(r"^(static |inline )*", "", declared)
    body, out, cases, notes = lines[brace:end + 1], [declared + ";"], [], []
    for number, line, new, marked in mutants:
        changed = lines[brace:end + 1]
        changed[line - 1 - brace] = new
        out += ["static " + bare.replace(name + "(", f"{name}_mutant{number}(", 1), *changed]
        cases.append(f"case {number}: {returns}{name}_mutant{number}({given}); {'' if returns else 'return;'}")
        note = f"mutants_met[{number}] = 1"
        if not marked or not mark(body, line - 1 - brace, note):
            notes.append(note + ";")
    return [*out, *lines[head:brace], "{", f"switch (mutant_number) {{ {' '.join(cases)} default: break; }}", *notes, *body[1:]]


def placed(text, mutants):
    """TEXT with MUTANTS, or None if one of them stands in no function."""
    lines, out, at, left = text.split("\n"), [DECLARED], 0, len(mutants)
    for head, brace, end in functions(lines):
        here = [mutant for mutant in mutants if brace < mutant[1] - 1 <= end]
        if here:
            out += [*lines[at:head], *function_with(lines, head, brace, end, here)]
            at = end + 1
            left -= len(here)
    return None if left else "\n".join(out + lines[at:])
