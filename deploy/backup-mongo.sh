#!/bin/sh
# Writes one archive a day of a cluster's MongoDB. A finished archive gets its final name; then old ones are deleted.
set -u
umask 077
name=''
# For the handling of signals see backup.sh.
true &
wait "$!"
ended=$!
trap 'if [ "$!" != "$ended" ]; then kill "$!"; wait "$!"; fi; rm -f "$name.partial"; exit 0' TERM INT
run() {
  "$@" &
  wait "$!"
  status=$?
  ended=$!
  return $status
}
while :; do
  find /backup -maxdepth 1 -name 'batti-mongo-*.partial' -mtime +0 -delete
  name="/backup/batti-mongo-$(date -u +%Y-%m-%dT%H%M%S).archive.gz"
  if run mongodump --quiet --uri "$MONGODB_URI" --gzip --archive="$name.partial"; then
    mv "$name.partial" "$name"
    echo "Backed up to $name"
    sh /deploy/delete-old-backups.sh /backup 'batti-mongo-*.archive.gz' "${KEEP_DAYS:-14}"
    run sleep 86400
  else
    rm -f "$name.partial"
    echo 'The database could not be backed up. The next attempt is in a quarter of an hour.' >&2
    run sleep 900
  fi
done
