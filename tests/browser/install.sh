#!/bin/sh
# Finds a Chromium, or installs one where this user may (Debian and its children).
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null && exit 0
fi
echo "=============================================================================="
echo "No Chromium on this machine and none could be installed: THE PAGES ARE NOT TESTED."
echo "Install one (Debian: apt-get install chromium) and run make test again."
echo "=============================================================================="
if [ "${GAMELOG_REQUIRE_BROWSER:-0}" = 1 ]; then exit 1; fi
