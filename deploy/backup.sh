#!/bin/sh
# Writes one archive a day of everything, while Batti runs, and then deletes old ones. A backup that fails is tried again after a
# quarter of an hour. For compose's container `backup`.
set -u
umask 077
folder=${BACKUPS:-/backup}
# The first process of a container gets only signals that it traps, and none while it waits for a program in the foreground.
# A signal may come before anything after the start of a program has run, so the program is known by `$!` alone.
true &
wait "$!"
ended=$!
trap 'if [ "$!" != "$ended" ]; then kill "$!"; wait "$!"; fi; exit 0' TERM INT
run() {
  "$@" &
  wait "$!"
  status=$?
  ended=$!
  return $status
}
while :; do
  # Deletes the remains of killed backups. A backup that somebody makes by hand at this moment is younger.
  find "$folder" -maxdepth 1 \( -name '.batti-*.staging' -o -name 'batti-*.partial' \) -mtime +0 -exec rm -rf {} +
  if run node packages/launcher/src/upkeep/cli.ts backup "$folder/batti-$(date -u +%Y-%m-%dT%H%M%S).tar.gz" --data "${DATA:-/var/lib/batti/data}"; then
    sh deploy/delete-old-backups.sh "$folder" 'batti-*.tar.gz' "${KEEP_DAYS:-14}"
    run sleep 86400
  else
    echo 'The next attempt is in a quarter of an hour.' >&2
    run sleep 900
  fi
done
