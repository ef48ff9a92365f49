#!/usr/bin/env bash
# Build the Ollama server whose client go.mod names:
#   build.sh DIR
# It comes as a Go module, without the C++ libraries that its repository keeps
# beside it. Headers that the compiler does not find are taken from Debian's
# packages and unpacked inside DIR; nothing is installed. The header of the
# sound library is a stand-in of ours.
#
# The output is the path of the server. If it cannot be built here, the output
# is one line that says why, and the exit status is 3.
set -euo pipefail
dir=$1
here=$(cd "$(dirname "$0")" && pwd)
module=github.com/ollama/ollama
log=$dir/build.log

cannot() {
	echo "$1"
	exit 3
}

mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
version=$(go list -m -f '{{.Version}}' $module 2>"$log") || cannot "the Go modules cannot be downloaded ($log)"
server=$dir/ollama-$version
if [ -x "$server" ]; then
	echo "$server"
	exit 0
fi

cxx=$(go env CXX) # perhaps with words of its own, as in "ccache g++"
command -v "${cxx%% *}" >/dev/null || cannot "no C++ compiler ($cxx)"
go mod download $module 2>"$log" || cannot "the Go module $module@$version cannot be downloaded ($log)"
source=$(go list -m -f '{{.Dir}}' $module)

# The headers come by CPATH rather than by a flag: Go's build cache knows flags,
# and the place of a clone should not decide whether it can be used.
export CPATH="$here/include:$dir/headers/usr/include${CPATH:+:$CPATH}"

finds() {
	echo "#include <$1>" | $cxx -E -x c++ - >/dev/null 2>&1
}

# fetch PACKAGE unpacks a Debian package into $dir/headers, with the system's
# package lists if they will do, else with lists of our own.
fetch() {
	command -v apt-get >/dev/null && command -v dpkg >/dev/null || return 1
	local lists=$dir/apt own
	own=(-o "Dir::State::Lists=$lists/lists" -o "Dir::Cache=$lists/cache" -o APT::Sandbox::User= -o Debug::NoLocking=true)
	mkdir -p "$dir/headers" "$lists/lists/partial" "$lists/cache/archives/partial"
	(
		cd "$lists"
		rm -f "$1"_*.deb
		apt-get -q -o APT::Sandbox::User= download "$1" || {
			apt-get -q "${own[@]}" update && apt-get -q "${own[@]}" download "$1"
		}
		dpkg -x "$1"_*.deb "$dir/headers"
	) >>"$log" 2>&1
}

while read -r header package; do
	finds "$header" && continue
	fetch "$package" || cannot "$header is missing and Debian's package $package cannot be fetched ($log)"
	finds "$header" || cannot "$header is missing from Debian's package $package ($log)"
done <<-'END'
	nlohmann/json.hpp nlohmann-json3-dev
	stb/stb_image.h libstb-dev
END
rm -rf "$dir/apt"

echo "building the Ollama server $version (minutes the first time, log in $log)" >&2
# Its own go.mod and go.sum decide what it is built from; ours has no say.
GOFLAGS=-buildvcs=false GOWORK=off CGO_ENABLED=1 CGO_CFLAGS=-O2 CGO_CXXFLAGS=-O2 nice -n 10 \
	go build -C "$source" -p 2 -trimpath -ldflags "-s -w -X $module/version.Version=${version#v}" \
	-o "$server.new" . >>"$log" 2>&1 ||
	cannot "the Ollama server $version does not build here: $(grep -m 1 'error' "$log" || tail -n 1 "$log") ($log)"
mv "$server.new" "$server"
echo "$server"
