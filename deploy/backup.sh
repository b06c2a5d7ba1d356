#!/bin/sh
# One archive a day of everything, while it runs; once it is there, older ones than KEEP_DAYS go. For the container `backup` of
# compose.
set -u
umask 077
folder=${BACKUPS:-/backup}
# As the first process of a container this one hears no signal that it does not ask for, and none at all while it waits for a
# program in the foreground.
child=''
trap 'if [ -n "$child" ]; then kill "$child"; wait "$child"; fi; exit 0' TERM INT
run() {
  "$@" &
  child=$!
  wait "$child"
  status=$?
  child=''
  return $status
}
while :; do
  # Of a backup that was killed; one that somebody makes by hand is younger.
  find "$folder" -maxdepth 1 \( -name '.batti-*.staging' -o -name 'batti-*.partial' \) -mtime +0 -exec rm -rf {} +
  if run node packages/launcher/src/upkeep/cli.ts backup "$folder/batti-$(date -u +%Y-%m-%dT%H%M%S).tar.gz" --data "${DATA:-/var/lib/batti/data}"; then
    find "$folder" -maxdepth 1 -name 'batti-*.tar.gz' -mtime "+${KEEP_DAYS:-14}" -delete
  fi
  run sleep 86400
done
