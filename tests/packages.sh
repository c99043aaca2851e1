#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# How toolwire is found once it is installed, or packed, or part of another
# project: tests/c_client.c is built by each way, outside the tree, and run.
# Use: tests/packages.sh BUILD_FOLDER ROOT
set -u
export LC_ALL=C

if [ $# -ne 2 ] || [ ! -r "$1/CPackConfig.cmake" ] ||
    [ ! -r "$2/CMakeLists.txt" ]; then
    echo "use: $0 BUILD_FOLDER ROOT" >&2
    exit 2
fi
build=$(realpath "$1")
root=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
# shellcheck source=tests/says.sh
. "$here/says.sh"
version=$(sed -n 's/^#define TW_VERSION "\(.*\)"/\1/p' "$root/include/toolwire.h")
cc=${CC:-cc}

# ---- installed, and moved --------------------------------------------------

cmake --install "$build" --prefix "$work/first" >log 2>&1 && mv first moved
verdict 'cmake --install' $?
library=$(dirname "$(find moved -name libtoolwire.a)")
(cd moved && find . ! -type d | sed "s|^\\./${library#moved/}|LIB|; s|^\\./||" |
    sed -E 's/-(release|debug|relwithdebinfo|noconfig)\.cmake$/-BUILD.cmake/' |
    sed "s/$version/VERSION/" | sort) >files
diff "$here/package/files.txt" files >log
verdict 'what is installed is listed in tests/package/files.txt' $?

# needed PROGRAM: the names of the libraries that it asks for.
needed() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p'; }

readelf -d "$library/libtoolwire.so" >log
grep -q 'SONAME.*\[libtoolwire.so.0\]' log
verdict 'the SONAME has the number of the interface' $?
[ "$(moved/bin/toolwire --version)" = "toolwire $version" ]
verdict 'the command runs from where it was installed' $?
needed moved/bin/toolwire >log
! grep toolwire log
verdict 'the command asks for no library of ours' $?

for flags in '' --static; do
    if ! command -v pkg-config >/dev/null; then
        echo 'packages: pkg-config SKIPPED: it is not there'
        break
    fi
    export PKG_CONFIG_PATH=$work/$library/pkgconfig
    [ "$(pkg-config --modversion toolwire)" = "$version" ]
    verdict 'pkg-config --modversion' $?
    # shellcheck disable=SC2046,SC2086
    "$cc" "$here/c_client.c" -o client ${flags#-} \
        $(pkg-config $flags --cflags --libs toolwire) >log 2>&1 &&
        LD_LIBRARY_PATH=$library says hermes 3
    verdict "pkg-config $flags" $?
done
# README.md: with the shared library, found where the program was told, and with
# the static one beside a shared libc.
if command -v pkg-config >/dev/null; then
    folder=$(pkg-config --variable=libdir toolwire)
    # shellcheck disable=SC2046
    "$cc" "$here/c_client.c" -o client $(pkg-config --cflags --libs toolwire) \
        -Wl,-rpath,"$folder" >log 2>&1 && says hermes 3
    verdict 'pkg-config: with the folder of the library in the program' $?
    needed client >log
    grep -qx libtoolwire.so.0 log
    verdict 'a program asks for the interface, not for a version' $?
    # shellcheck disable=SC2046
    "$cc" "$here/c_client.c" -o client $(pkg-config --cflags toolwire) \
        "$folder/libtoolwire.a" >log 2>&1 && says hermes 3
    verdict 'pkg-config: with the static library by its name' $?
    needed client >log
    ! grep toolwire log && grep -q libc log
    verdict 'a program with the static library asks for none of ours' $?
fi

# ---- from another project's CMake ------------------------------------------

# project HOW FOLDER ARGUMENTS...: both of its programs are built and run.
project() {
    local how=$1 folder=$2 program
    shift 2
    cmake --fresh -S "$here/package" -B "$folder" -G Ninja -DHOW="$how" \
        -DTOOLWIRE="$root" -DCLIENT="$here/c_client.c" "$@" >log 2>&1 &&
        rm -f "$folder/toolwire" "$folder/client" &&
        ninja -C "$folder" toolwire client >log 2>&1
    verdict "$how: is built" $?
    for program in toolwire client; do
        cp "$folder/$program" client && LD_LIBRARY_PATH=$library says hermes 3
        verdict "$how: $program, of C and C++, runs" $?
    done
    [ ! -e "$folder/CTestTestfile.cmake" ] ||
        ! grep -q add_test "$folder"/*/CTest*
    verdict "$how: brings no tests" $?
}

project package package -DCMAKE_PREFIX_PATH="$work/moved" -DWANTED="${version%.*}"
cmake -S "$here/package" -B other -G Ninja -DHOW=package -DWANTED=9.0 \
    -DCMAKE_PREFIX_PATH="$work/moved" >log 2>&1
[ $? -ne 0 ] && grep -q 'compatible with requested version "9.0"' log
verdict 'package: another version is refused' $?
# In one folder: objects that both compile by the same command are made once.
project subdirectory source
project fetch source
DESTDIR=$work/nothing cmake --install source >log 2>&1 && [ ! -e nothing ]
verdict 'fetch: installs nothing of toolwire' $?

# ---- Debian ----------------------------------------------------------------

if ! command -v dpkg-deb >/dev/null; then
    echo 'packages: the Debian package SKIPPED: there is no dpkg-deb'
else
    cpack -G DEB --config "$build/CPackConfig.cmake" -B deb >log 2>&1 &&
        dpkg-deb -x deb/toolwire_"$version"-1_*.deb unpacked >>log 2>&1 &&
        dpkg-deb -e deb/toolwire_"$version"-1_*.deb control >>log 2>&1
    verdict 'cpack: a .deb' $?
    grep -q "^Version: $version-1$" control/control &&
        ! sed -n 's/^Depends: //p' control/control | tr ',' '\n' |
        grep -vE '^ *(libc6|libzstd1|zlib1g)( |$)'
    verdict 'the .deb depends on libc6 and what unpacks logs, at most' $?
    [ "$(cat control/shlibs)" = "libtoolwire 0 toolwire (>= $version)" ]
    verdict 'the .deb: programs that are linked depend on the interface' $?
    (cd unpacked && md5sum --quiet -c ../control/md5sums) >log 2>&1
    verdict 'the .deb has right sums' $?
    find unpacked -perm /022 ! -type l >log
    [ ! -s log ] && [ -z "$(find unpacked -mindepth 1 -maxdepth 1 ! -name usr)" ]
    verdict 'the .deb has nothing outside /usr, nor what others may write' $?
    [ "$(completion hermes |
        unpacked/usr/bin/toolwire decode -f hermes)" = "$message" ]
    verdict 'the .deb: its command' $?
    library=$(dirname "$(find unpacked -name libtoolwire.a)")
    "$cc" "$here/c_client.c" -Iunpacked/usr/include -L"$library" -ltoolwire \
        -o client >log 2>&1 && LD_LIBRARY_PATH=$library says hermes 3
    verdict 'the .deb: its library and header' $?
    share=unpacked/usr/share
    for page in man1/toolwire.1 man3/toolwire.3; do
        gzip -dc $share/man/$page.gz >"$(basename $page)"
        verdict "the .deb: $page" $?
    done
    for text in copyright changelog.gz changelog.Debian.gz; do
        [ -s $share/doc/toolwire/$text ]
        verdict "the .deb: $text" $?
    done
    bash -c '. "$1"; complete -p toolwire' bash \
        $share/bash-completion/completions/toolwire >log 2>&1
    verdict 'the .deb: bash completion' $?
    [ "$(head -n 1 $share/zsh/vendor-completions/_toolwire)" = \
        '#compdef toolwire' ] &&
        grep -q '^complete -c toolwire' \
            $share/fish/vendor_completions.d/toolwire.fish
    verdict 'the .deb: zsh and fish completion' $?
fi

# ---- man pages -------------------------------------------------------------

manual=$work/moved/share/man
# said PAGE WORD: as roff spells it
said() {
    grep -qF -- "$(printf '%s' "$2" | sed 's/-/\\-/g')" "$manual/$1"
    verdict "$1 has $2" $?
}
for option in $(moved/bin/toolwire --help |
    sed -n '/^Options:/,/^$/s/^  .*\(--[a-z-]*\).*/\1/p'); do
    said man1/toolwire.1 "$option"
done
while IFS= read -r function; do
    said man3/toolwire.3 "$function("
done <"$here/exported.txt"
for page in man1/toolwire.1 man3/toolwire.3; do
    if ! command -v man >/dev/null; then
        echo "packages: how $page looks SKIPPED: there is no man"
        continue
    fi
    man --warnings=w -l "$manual/$page" >out 2>log && [ ! -s log ] &&
        [ "$(grep -c . out)" -gt 300 ]
    verdict "$page: without a warning" $?
done

finish
