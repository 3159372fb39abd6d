#!/usr/bin/env bash
# Formats every C++ file of the project in place; with --check changes nothing and fails when a file would change.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$root"

# Every major version of clang-format breaks lines a little differently; Debian 12's is the one that counts.
wanted=14
tool=$(command -v "clang-format-$wanted" || command -v clang-format || true)
if [[ -z $tool ]] || ! "$tool" --version | grep -q "version $wanted\."; then
    say "format: skipped, needs clang-format $wanted"
    exit 0
fi

mapfile -t files < <(find src tools tests bench examples -name '*.h' -o -name '*.cpp' | sort)
((${#files[@]} > 0)) || exit 0

if [[ ${1-} == --check ]]; then
    bad=()
    for file in "${files[@]}"; do
        "$tool" "$file" | cmp -s - "$file" || bad+=("$file")
    done
    if ((${#bad[@]} > 0)); then
        say "not formatted (scripts/format.sh puts them right):"
        printf '    %s\n' "${bad[@]}" >&2
        exit 1
    fi
else
    "$tool" -i "${files[@]}"
fi
