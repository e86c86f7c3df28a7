#!/bin/sh
# The pass in docs/passes.md is complete: against an installed copy it compiles without a warning, is loaded and does what
# it says. What is no plugin, or one for another inlay, is refused.
set -u
. "$ROOT/tests/tap.sh"
if ! [ -e "$BUILD/libinlay.so" ]; then
    skip "plugins" "this build has no shared library, which a plugin and the command would share"
    finish
    exit
fi

prefix=$scratch/prefix
works "make install" ${MAKE:-make} -C "$ROOT" "CC=$CC" "CFLAGS=$CFLAGS" "LDFLAGS=$LDFLAGS" install "PREFIX=$prefix"
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
PATH=$prefix/bin:$PATH
export PKG_CONFIG_PATH PATH
unset LD_LIBRARY_PATH
mkdir "$scratch/work" && cd "$scratch/work" || exit 2

# Both blocks of the page as they stand there.
block() { # LANGUAGE
    awk -v fence="\`\`\`$1" '
        /^```/ { inside = $0 == fence; next }
        inside' "$ROOT/docs/passes.md"
}
block c >my_pass.c
block sh >commands
cat >model.inlay <<'END'
graph "g" {
  %x = Parameter-1 {element_type = f32, shape = [2]}
  %a = Negative-1(%x)
  %b = Negative-1(%a)
  %c = ReLU-1(%b)
  %r = Result-1(%c)
}
END
cat >expected <<'END'
my-pass                  same: 64 of 64 trials counted
verified: 1 of 1 pass changed the graph, 0 rules were applied; each step is the same function in all of 64 trials that counted
graph "g" {
  %x = Parameter-1 {element_type = f32, shape = [2]} : f32[2]
  %c = ReLU-1(%x) : f32[2]
  %r = Result-1(%c)
  %a = Negative-1(%x) : f32[2]
}
END
sh -e ./commands >actual 2>&1
same "the commands of the page do what it says" expected actual

# Words are split on purpose.
# shellcheck disable=SC2046,SC2086
build() { # FILE OUT
    $CC -std=c11 $CFLAGS -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Werror -shared -fPIC \
        $(pkg-config --cflags inlay) -o "$2" "$1" $LDFLAGS
}
works "the pass of the page compiles without a warning" build my_pass.c my_pass.so
# shellcheck disable=SC2046
if ${CXX:-c++} --version >/dev/null 2>&1; then
    works "C++ takes it too" ${CXX:-c++} -x c++ -std=c++17 -Wall -Wextra -Werror -shared -fPIC \
        $(pkg-config --cflags inlay) -o cpp_pass.so my_pass.c
    works "and what it makes is loaded" inlay opt model.inlay --load cpp_pass.so --passes my-pass
else
    skip "C++ takes it too" "there is no C++ compiler"
fi

# A program's output and its exit status must be as written.
says() { # NAME WANTED COMMAND...
    name=$1
    printf '%s\n' "$2" >wanted
    shift 2
    "$@" >output 2>&1
    echo "exit status $?" >>output
    same "$name" wanted output
}
inlay passes --load ./my_pass.so >listed
if grep -qx 'my-pass  *Negative(Negative(x)) is x.' listed; then pass "inlay passes lists it"; else
    fail "inlay passes lists it" "$(cat listed)"
fi
works "run, info and rules take it" sh -c 'inlay run model.inlay --random --load ./my_pass.so --passes my-pass &&
    inlay info model.inlay --load ./my_pass.so --passes my-pass && inlay rules model.inlay --load ./my_pass.so --passes my-pass'
works "it may be left out, or shown" sh -c 'inlay opt model.inlay --load ./my_pass.so --passes default,my-pass \
    --disable my-pass && inlay opt model.inlay --load ./my_pass.so --passes my-pass --print-after my-pass'
says "it is known only where it is loaded" 'inlay: error: there is no pass or pipeline "my-pass"
exit status 2' inlay opt model.inlay --passes my-pass

cat >entry.c <<'END'
#include <inlay.h>
static bool add(inlay_pass_registry *p, inlay_diags *d) { (void)p, (void)d; return false; }
INLAY_API extern const inlay_plugin inlay_plugin_v1;
const inlay_plugin inlay_plugin_v1 = {VERSION, LAYOUT, add};
END
plugin() { # OUT VERSION LAYOUT
    # shellcheck disable=SC2046
    $CC "-DVERSION=$2" "-DLAYOUT=$3" -shared -fPIC $(pkg-config --cflags inlay) -o "$1" entry.c
}
plugin version.so 2 INLAY_PLUGIN_LAYOUT
says "another version is refused" 'version.so: error: the plugin was built for version 2 of the interface, this is 1
exit status 2' inlay opt model.inlay --load version.so
plugin layout.so INLAY_PLUGIN_VERSION INLAY_PLUGIN_LAYOUT+1
says "other headers are refused" 'layout.so: error: the plugin was built with the headers of another inlay: build it again with those of this one
exit status 2' inlay opt model.inlay --load layout.so
plugin silent.so INLAY_PLUGIN_VERSION INLAY_PLUGIN_LAYOUT
says "one that fails without a word is an error" 'silent.so: error: the plugin could not add its passes
exit status 2' inlay opt model.inlay --load silent.so
echo 'int nothing;' >nothing.c
$CC -shared -fPIC -o nothing.so nothing.c
says "a missing entry is an error" 'nothing.so: error: this is no plugin: it has no inlay_plugin_v1, which the macro INLAY_PLUGIN defines
exit status 2' inlay opt model.inlay --load nothing.so
says "a name that is taken is an error" './my_pass.so: error: there is already a pass "my-pass"
exit status 2' inlay opt model.inlay --load my_pass.so --load ./my_pass.so
says "so it is for the list of passes" './my_pass.so: error: there is already a pass "my-pass"
exit status 2' inlay passes --load my_pass.so --load ./my_pass.so
says "a file that is not there is an error" 'missing.so: error: the plugin cannot be loaded: ./missing.so: cannot open shared object file: No such file or directory
exit status 2' inlay opt model.inlay --load missing.so

# A pass that leaves a graph which is refused has changed the function.
cat >breaks.c <<'END'
#include <inlay.h>

static bool run(inlay_graph *g, inlay_pass_run *r)
{
    for (inlay_node *n = g->first; n; n = n->next) {
        if (!inlay_node_is(n, INLAY_OP_ADD) || !inlay_pass_begin(r, n))
            continue;
        if (!inlay_node_set_string(n, "auto_broadcast", "none", inlay_pass_diags(r)) ||
            !inlay_pass_end(r, true))
            return false;
    }
    return true;
}

static bool add(inlay_pass_registry *p, inlay_diags *d)
{
    const inlay_pass_info info = {"breaks", "Operands of Add must have one shape."};

    return inlay_pass_register(p, &info, run, NULL, d);
}

INLAY_PLUGIN(add);
END
works "a pass that breaks graphs compiles" build breaks.c breaks.so
cat >sum.inlay <<'END'
graph "sum" {
  %x = Parameter-1 {element_type = f32, shape = [2]}
  %y = Parameter-1 {element_type = f32, shape = [1]}
  %s = Add-1(%x, %y)
  %t = Abs-1(%s)
  %r = Result-1(%t)
}
END
says "bisect finds it" 'sum.inlay: 1 application in 25 passes, 11 runs
application 1 is the first that changes the results:
  pass      breaks
  at        "s" (Add-1), line 4
this application alone, the graph before it beside the one after it: different
  pass breaks leaves a graph that cannot be read again: node "s" (Add-1): input 1 "b" has shape [1]: axis 0 is 1, it must be 2
made small: 4 nodes of 5
graph "sum" {
  %x = Parameter-1 {element_type = f32, shape = [2]} : f32[2]
  %y = Parameter-1 {element_type = f32, shape = [1]} : f32[1]
  %s = Add-1(%x, %y) : f32[2]
  %reduced = Result-1(%s)
}
exit status 1' inlay bisect sum.inlay --load ./breaks.so --passes default,breaks,fold-constants
# So has one that leaves a note by which what is still read would be overwritten.
awk '/inlay_node_set_string/ {
        print "        n->out[0].note = INLAY_OVERWRITES;\n        n->out[0].note_target = n->in[0].value;"
        print "        g->has_notes = true;"
        sub(/!inlay_node_set_string.*/, "!inlay_pass_end(r, true))")
    }
    !/^            !inlay_pass_end/' breaks.c | sed 's/"breaks"/"notes"/' >notes.c
works "a pass that leaves an illegal note compiles" build notes.c notes.so
sed 's/%t = .*/%t = Multiply-1(%s, %a)/; s/Add-1(%x/Add-1(%a/; s/  %s = /  %a = Abs-1(%x)\n&/' sum.inlay >again.inlay
says "bisect finds it" '  pass      notes
  at        "s" (Add-1), line 5
this application alone, the graph before it beside the one after it: different
  pass notes leaves a graph that cannot be read again: node "s" (Add-1): the storage note "s" overwrites "a" is illegal: "t" (Multiply-1) reads "a" after this is written over it (O3 no-later-read)
exit status 0' sh -c 'inlay bisect again.inlay --load ./notes.so --passes default,notes,fold-constants --large | tail -n 4'
# A pass that crashes, hangs, fails or makes another graph each time does so at one of its applications: bisect finds
# that one, in processes of its own.
cat >falls.c <<'END'
#include <inlay.h>
#include <signal.h>
#include <string.h>

static bool visit(inlay_node *n, const char *how, int time, inlay_diags *d)
{
    volatile bool on = true;

    if (strcmp(n->name, "c") != 0)
        return true;
    if (strcmp(how, "crashes") == 0)
        raise(SIGSEGV);
    while (strcmp(how, "hangs") == 0 && on)
        ;
    if (strcmp(how, "fails") == 0)
        return inlay_fail(d, NULL, "c is not liked");
    return time % 2 || inlay_value_replace(&n->out[0], n->in[0].value, d);
}

static bool each(inlay_graph *g, inlay_pass_run *r, const char *how, int time)
{
    for (inlay_node *n = g->first; n; n = n->next) {
        if (inlay_node_is(n, INLAY_OP_ABS) && inlay_pass_begin(r, n) &&
            (!visit(n, how, time, inlay_pass_diags(r)) || !inlay_pass_end(r, true)))
            return false;
    }
    return true;
}

#define PASS(name)                                                                                 \
    static bool name(inlay_graph *g, inlay_pass_run *r)                                            \
    {                                                                                              \
        static int time;                                                                           \
                                                                                                   \
        return each(g, r, #name, time++);                                                          \
    }
PASS(crashes)
PASS(hangs)
PASS(fails)
PASS(wavers)

static bool add(inlay_pass_registry *p, inlay_diags *d)
{
    const inlay_pass_info infos[] = {{"crashes", "Crashes."}, {"hangs", "Hangs."}, {"fails", "Fails."}, {"wavers", "Wavers."}};

    return inlay_pass_register(p, &infos[0], crashes, NULL, d) && inlay_pass_register(p, &infos[1], hangs, NULL, d) &&
           inlay_pass_register(p, &infos[2], fails, NULL, d) && inlay_pass_register(p, &infos[3], wavers, NULL, d);
}

INLAY_PLUGIN(add);
END
works "passes that fall compile" build falls.c falls.so
cat >abs.inlay <<'END'
graph "abs" {
  %x = Parameter-1 {element_type = f32, shape = [2]}
  %a = Abs-1(%x)
  %m = Negative-1(%a)
  %b = Abs-1(%m)
  %c = Abs-1(%b)
  %e = Negative-1(%c)
  %d = Abs-1(%e)
  %r = Result-1(%d)
}
END
# PASS KIND-AND-WHY: it is the third application, after those of the passes before it.
falls() {
    says "bisect finds where a pass $1" "application 3 is the first that makes it fail:
  pass      $1
  at        \"c\" (Abs-1), line 6
  $2
exit status 0" sh -c "inlay bisect abs.inlay --load ./falls.so --seconds 2 --passes eliminate-common,$1,eliminate-dead | tail -n 4"
}
falls crashes 'crash: the process ends with status 139'
falls hangs 'hang: the process ends with status 155'
falls fails 'error: c is not liked'
falls wavers 'varies: passes, once more: node "e" is Negative-1, "c" is Abs-1'
# A pass that fails must say why.
sed 's/"breaks"/"silent"/; s/inlay_pass_begin(r, n))/false)/; s/continue;/return false;/' breaks.c >wordless.c
works "a pass that fails without a word compiles" build wordless.c wordless.so
says "and is told by name" 'inlay: error: pass silent failed and does not say why
exit status 2' inlay opt sum.inlay --load ./wordless.so --passes silent
finish
