#!/bin/sh
# Prints rule files as C: the bytes of each, then the table that passes/rules/set.c looks them up in.
i=0
for file; do
    printf 'static const unsigned char rules_%d[] = {\n' "$i"
    od -An -v -tu1 "$file" | sed -e 's/^ *//' -e 's/  */,/g' -e 's/$/,/'
    printf '};\n'
    i=$((i + 1))
done
printf 'static const struct builtin builtins[] = {\n'
i=0
for file; do
    printf '{"%s", "%s", rules_%d, sizeof rules_%d},\n' "$(basename "$file" .rules)" "$file" "$i" "$i"
    i=$((i + 1))
done
printf '};\n'
