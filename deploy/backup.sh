#!/bin/sh
# One archive a day of everything, while it runs; older ones than KEEP_DAYS go. For the container `backup` of compose.
set -u
umask 077
while :; do
  node packages/launcher/src/upkeep/cli.ts backup "/backup/batti-$(date -u +%Y-%m-%dT%H%M%S).tar.gz" --data "${DATA:-/var/lib/batti/data}"
  find /backup -name 'batti-*.tar.gz' -mtime "+${KEEP_DAYS:-14}" -delete
  sleep 86400
done
