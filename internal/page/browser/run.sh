#!/usr/bin/env bash
# Does what people do on the web page in a real browser, and looks at it with axe-core.
# What drives the browser is installed into bin/, in the versions of package-lock.json; the
# browser is CHROMIUM, or the first of those that systems bring. Where something is missing
# the script says so, and the exit status is 77: not run. SHOTS names a directory for
# pictures of every view.
set -euo pipefail
cd "$(dirname "$0")/../../.."

. internal/tools/npm/install.sh
need "page" node npm
browser=${CHROMIUM:-}
for name in chromium chromium-browser google-chrome; do
	[ -n "$browser" ] || browser=$(command -v "$name" || true)
done
if [ -z "$browser" ]; then
	echo "the page was not looked at: there is no Chromium (Debian's package is chromium); CHROMIUM names another"
	exit 77
fi

here=internal/page/browser
there=bin/page
install_packages "$here" "$there"

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
[ -z "${SHOTS:-}" ] || mkdir -p "$SHOTS"
node "$here/check.mjs" "$browser" "$PWD/bin/strata" "$PWD/bin/scriptedmodel" "$home" ${SHOTS:+"$SHOTS"}
