#!/bin/sh
# Regenerates the expected results of the OCaml test programs with the
# reference compiler (ocamlopt).
#
#   ./regenerate.sh              all programs
#   ./regenerate.sh NAME...      only the named ones
#
# NAME.ml is a one-file program; NAME/ with main.ml is a multi-file program,
# whose files are ordered by `ocamldep -sort`.  The program is run with
# NAME.stdin as its standard input when that file exists, with empty input
# otherwise, and with no arguments.  Its standard output is stored as
# NAME.expected; its exit code is stored as NAME.exit when it is not 0
# (a stale NAME.exit is removed).  Standard error is not recorded.
#
# Everything is built in a temporary directory, which is removed at the end.
# The script fails when a program does not build, or runs over 10 seconds.

set -u
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
count=0

if [ $# -gt 0 ]; then
  names=$*
else
  names=$( (cd "$here" && ls -d -- *.ml */main.ml 2>/dev/null) \
    | sed -e 's,/main\.ml$,,' -e 's,\.ml$,,' | LC_ALL=C sort)
fi

for name in $names; do
  dir=$tmp/$name
  mkdir -p "$dir"
  if [ -f "$here/$name.ml" ]; then
    cp "$here/$name.ml" "$dir/"
    sources=$name.ml
  else
    cp "$here/$name"/*.ml "$dir/"
    cp "$here/$name"/*.mli "$dir/" 2>/dev/null
    sources=$(cd "$dir" && ocamldep -sort $(ls -- *.ml *.mli 2>/dev/null))
  fi
  if ! (cd "$dir" && ocamlopt -w -a -o prog.exe $sources) >"$dir/log" 2>&1; then
    echo "BUILD FAILED: $name"
    cat "$dir/log"
    failed=1
    continue
  fi
  input=/dev/null
  [ -f "$here/$name.stdin" ] && input=$here/$name.stdin
  (cd "$dir" && timeout 10 ./prog.exe <"$input" >out 2>err)
  code=$?
  if [ $code -ge 124 ]; then
    echo "RUN FAILED: $name (exit code $code)"
    failed=1
    continue
  fi
  cp "$dir/out" "$here/$name.expected"
  if [ $code -ne 0 ]; then
    echo $code >"$here/$name.exit"
  else
    rm -f "$here/$name.exit"
  fi
  count=$((count + 1))
  rm -rf "$dir"
done

echo "$count programs regenerated"
exit $failed
