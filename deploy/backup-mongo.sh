#!/bin/sh
# One archive a day of the MongoDB of a cluster; it never gets its name before it is whole, and then older ones than KEEP_DAYS go.
set -u
umask 077
name=''
# Signals: as in backup.sh.
child=''
trap 'if [ -n "$child" ]; then kill "$child"; wait "$child"; fi; rm -f "$name.partial"; exit 0' TERM INT
run() {
  "$@" &
  child=$!
  wait "$child"
  status=$?
  child=''
  return $status
}
while :; do
  find /backup -maxdepth 1 -name 'batti-mongo-*.partial' -mtime +0 -delete
  name="/backup/batti-mongo-$(date -u +%Y-%m-%dT%H%M%S).archive.gz"
  if run mongodump --quiet --uri "$MONGODB_URI" --gzip --archive="$name.partial"; then
    mv "$name.partial" "$name"
    echo "Backed up to $name"
    find /backup -maxdepth 1 -name 'batti-mongo-*.archive.gz' -mtime "+${KEEP_DAYS:-14}" -delete
  else
    rm -f "$name.partial"
    echo 'The database could not be backed up.' >&2
  fi
  run sleep 86400
done
