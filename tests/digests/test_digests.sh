#!/bin/sh
# What models and random graphs give has the hashes of models/digests.txt, whoever computes it. `make digests` is this
# test; where what is specified has changed, `make digests REWRITE=1` writes the page anew.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
page=models/digests.txt

# DIGESTS_RUN: a program in front, such as an emulator of another processor.
hashes() {
    ${DIGESTS_RUN:-} "$BUILD/tests/digests" ${DIGESTS_THREADS:+-t "$DIGESTS_THREADS"} models/*/*.inlay \
        tests/subgraphs/*.inlay tests/in_place/*.inlay >"$scratch/found"
}

works "each way to run gives the same" hashes
sed '/^#/!d' $page >"$scratch/top"
sed '/^#/d' $page >"$scratch/expected"
if [ "${REWRITE:-}" ]; then cat "$scratch/top" "$scratch/found" >$page; fi
same "$(wc -l <"$scratch/found") hashes are those of $page" "$scratch/expected" "$scratch/found"
finish
