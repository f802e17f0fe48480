#!/bin/sh
# Wall-clock time of the parallel examples with one and two domains, the best of five, on a machine with nothing else to
# do:
#
#   bench/parallel.sh target/release/oxbow
set -eu
oxbow=${1:?the compiler}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
for name in parallel_mandelbrot parallel_nbody; do
    "$oxbow" build "$(dirname "$0")/../examples/ocaml/$name.ml" -o "$folder/$name"
    for domains in 1 2; do
        best=
        for _ in 1 2 3 4 5; do
            start=$(date +%s%N)
            "$folder/$name" "$domains" >"$folder/out"
            took=$((($(date +%s%N) - start) / 1000000))
            if [ -z "$best" ] || [ "$took" -lt "$best" ]; then best=$took; fi
        done
        echo "$name with $domains: $best ms"
    done
done
