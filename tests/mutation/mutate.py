"""One-line mutants of C files, drawn without a random generator: the same file and seed give the same ones.

usage: mutate.py FILE COUNT [SEED]        lists them, one a line: LINE <tab> NAME <tab> NEW TEXT OF THE LINE

The NAME of a mutant is FUNCTION: OPERATOR: NEW TEXT, with the number of its twin in the function where there are some,
so that it stays when other lines change.

A mutant is one small change of one line: a comparison turned or moved by one, a condition negated or dropped,
a sum made a difference, a truth value turned, a statement left out. COUNT of them are taken, spread over the file.
"""
import collections
import hashlib
import re
import sys

SWAPS = [
    (" == ", " != "), (" != ", " == "), (" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "),
    (" < ", " > "), (" > ", " < "), (" && ", " || "), (" || ", " && "), (" + 1", ""), (" - 1", ""), (" + ", " - "),
    (" - ", " + "), (" * ", " + "), (" / ", " * "), (" |= ", " = "), (" += ", " = "), (" &= ", " = "),
    ("true", "false"), ("false", "true"), ("continue;", "break;"), ("break;", "continue;"), ("[0]", "[1]"),
    ("[1]", "[0]"), (" = 0;", " = 1;"), (" = 1;", " = 0;"), (", 0)", ", 1)"), ("(!", "("), (" !", " "),
    ("++;", "--;"), ("--;", "++;"),
]
STATEMENT = re.compile(r"^\s+(?!return\b|break;|continue;|goto\b|else\b|if\b|for\b|while\b)(?!\(void\)\w+;$)[A-Za-z_*(][^;{}]*;$")
CONDITION = re.compile(r"(?P<before>\s*(?:\} else )?if )\((?P<asked>.*)\)(?P<after>(?: \{)?)$")
DECLARATION = re.compile(r"^\s+(const |static |struct |enum |unsigned |inlay_\w+ \*?\w|\w+ \*?\w+( =|;|,|\[))")


def code_lines(text):
    """The lines that are code inside a function: (number from 1, line, name of the function)."""
    comment = inside = False
    function = ""
    for number, line in enumerate(text.split("\n"), 1):
        if re.match(r"\w.*\w\(", line):
            function = re.search(r"(\w+)\(", line).group(1)
        if line == "{":
            inside = True
        elif line.startswith("}"):
            inside = False
        bare = re.sub(r"/\*.*?\*/", "", line)
        if "/*" in bare:
            comment = True
        if inside and not comment and not line.lstrip().startswith(("#", "/*", "*")):
            yield number, line, function
        if "*/" in bare:
            comment = False


def whole(line, previous):
    """A statement stands on this line alone, so that it can be left out."""
    begins = previous.rstrip().endswith((";", "{", "}", ":")) or previous.strip() == ""
    return begins and STATEMENT.match(line) and not DECLARATION.match(line)


def counts(line, at):
    """What stands there is no part of a string, and no operand of sizeof, which has a type alone."""
    return line[:at].count('"') % 2 == 0 and not re.search(r"sizeof [\w.>-]+$", line[:at])


def mutants_of_line(line, previous):
    for old, new in SWAPS:
        at = line.find(old)
        while at >= 0:
            if counts(line, at):
                yield f"{old.strip()} to {new.strip() or 'nothing'}", line[:at] + new + line[at + len(old):]
            at = line.find(old, at + len(old))
    condition = CONDITION.match(line)
    if condition:
        yield "negated", "{before}(!({asked})){after}".format(**condition.groupdict())
    if whole(line, previous):
        yield "left out", re.match(r"\s*", line).group() + f"; /* {line.strip()} */"


def mutants(text):
    """All of them: (number of the line, name, new text of the line)."""
    lines = text.split("\n")
    twins = collections.Counter()
    for number, line, function in code_lines(text):
        for operator, new in mutants_of_line(line, lines[number - 2]):
            name = f"{function}: {operator}: {new.strip()}"
            twins[name] += 1
            yield number, name if twins[name] == 1 else f"{name} ({twins[name]})", new


def digest(seed, mutant):
    return hashlib.sha256((seed + mutant[1]).encode()).hexdigest()


def drawn(text, count, seed=""):
    """COUNT mutants, by the order of the digests of their names behind SEED."""
    return sorted(sorted(mutants(text), key=lambda mutant: digest(seed, mutant))[:count])


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as source:
        for row in drawn(source.read(), int(sys.argv[2]), "".join(sys.argv[3:])):
            print(*row, sep="\t")
