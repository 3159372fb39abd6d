#!/usr/bin/env bash
# The same scene must give the same bits whatever compiled it: runs scenes with the engine as built by gcc and clang,
# without and with optimisation, each twice, and compares the hash of the state after every frame.
#   scripts/check_determinism.sh [--time T] [SCENE...]     default: every scene in scenes/ and its folders of
#                                                          joints and domains, 1 s each
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

time=1
if [[ ${1-} == --time ]]; then
    time=$2
    shift 2
fi
scenes=()
for scene in "$@"; do scenes+=("$(realpath -- "$scene")"); done
cd "$root"
if ((${#scenes[@]} == 0)); then
    shopt -s nullglob
    scenes=(scenes/*.arm scenes/joints/*.arm scenes/domains/*.arm)
fi
((${#scenes[@]} > 0)) || die "no scene to run"

# name, compiler, flags. The release build, gcc with -O3, is the reference.
build_preset release scene_hashes
builds=(
    "release"
    "determinism-gcc-O0 g++ -O0"
    "determinism-clang-O3 clang++ -O3 -DNDEBUG"
    "determinism-clang-O0 clang++ -O0"
)
for build in "${builds[@]}"; do
    [[ $build != release ]] || continue
    read -r name compiler flags <<<"$build"
    # The flags stand alone: a build type would add its own, and the caller's environment must not add any either.
    CXXFLAGS='' LDFLAGS='' configure "$name" -G Ninja -DCMAKE_BUILD_TYPE=None \
        -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$flags" \
        -DARMATURE_TESTS=OFF -DARMATURE_BENCH=OFF -DARMATURE_EXAMPLES=OFF -DARMATURE_UNITY=ALL
    compile "$name" scene_hashes
done

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
passed=0 failed=0
for scene in "${scenes[@]}"; do
    bad=
    for build in "${builds[@]}"; do
        read -r name _ <<<"$build"
        pids=()
        for try in 1 2; do  # side by side
            "build/$name/tools/scene_hashes" "$time" "$scene" "$out/$name-$try" 2>"$out/messages-$try" &
            pids[try]=$!
        done
        for try in 1 2; do
            status=0
            wait "${pids[try]}" || status=$?
            if ((status != 0)) || [[ ! -s $out/$name-$try ]]; then
                say "$scene: $name ended with exit code $status"
                cat "$out/messages-$try" >&2
                bad=1
                continue
            fi
            if ! cmp -s "$out/release-1" "$out/$name-$try"; then
                say "$scene: $name (run $try) differs from release (run 1), first here:"
                diff "$out/release-1" "$out/$name-$try" | head -n 4 >&2 || true
                bad=1
            fi
        done
    done
    rm -f "$out"/*
    if [[ $bad ]]; then failed=$((failed + 1)); else passed=$((passed + 1)); fi
done
say "determinism: $passed scenes identical over ${#builds[@]} builds run twice, $failed not"
((failed == 0))
