#!/bin/sh
# Finds a Chromium, or installs one where this user may (Debian and its children): the shell without windows if there is
# one, for tests take half the time in it.
if command -v chromium-headless-shell >/dev/null 2>&1; then exit 0; fi
installed() {
  command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ] && timeout 300 apt-get update -qq >/dev/null 2>&1 &&
    DEBIAN_FRONTEND=noninteractive timeout 300 apt-get install -y -qq --no-install-recommends "$1" fonts-dejavu-core >/dev/null 2>&1
}
if installed chromium-headless-shell; then exit 0; fi
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if installed chromium; then exit 0; fi
echo "=============================================================================="
echo "No Chromium on this machine and none could be installed: THE PAGES ARE NOT TESTED."
echo "Install one (Debian: apt-get install chromium-headless-shell) and run make test again."
echo "=============================================================================="
if [ "${GAMELOG_REQUIRE_BROWSER:-0}" = 1 ]; then exit 1; fi
