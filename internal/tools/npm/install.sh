# Functions of the scripts that test with programs in JavaScript. They source this file
# from the root of the project.

# need WHAT PROGRAM... ends the script with status 77, not run, where a program is missing.
need() {
	local what=$1 program
	shift
	for program in "$@"; do
		if ! command -v "$program" >/dev/null; then
			echo "$what not run: $program is not installed (Node 20 or newer brings node and npm)"
			exit 77
		fi
	done
}

# install_packages FROM TO installs into TO what package-lock.json of FROM pins, once.
install_packages() {
	local from=$1 to=$2
	if ! cmp -s "$from/package-lock.json" "$to/installed.json"; then
		mkdir -p "$to"
		[ "$from" = "$to" ] || cp "$from/package.json" "$from/package-lock.json" "$to/"
		npm ci --prefix "$to" --ignore-scripts --no-audit --no-fund --loglevel=error
		cp "$from/package-lock.json" "$to/installed.json"
	fi
}
