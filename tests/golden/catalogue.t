# Rules and passes that the catalogue names are there.

$ grep -o '`[a-z0-9]*-[a-z0-9-]*`' "$ROOT/passes/rules/CATALOGUE.md" | tr -d '`' | sort -u >named
> { inlay rules | awk '{print $2}'; inlay passes | awk '{print $1}'; } | sort -u >known
> comm -23 named known
