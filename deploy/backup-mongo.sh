#!/bin/sh
# One archive a day of the MongoDB of a cluster; older ones than KEEP_DAYS go. It never gets its name before it is whole.
set -u
umask 077
while :; do
  name="/backup/batti-mongo-$(date -u +%Y-%m-%dT%H%M%S).archive.gz"
  if mongodump --quiet --uri "$MONGODB_URI" --gzip --archive="$name.partial"; then
    mv "$name.partial" "$name"
    echo "Backed up to $name"
  else
    rm -f "$name.partial"
    echo 'The database could not be backed up.' >&2
  fi
  find /backup -name 'batti-mongo-*.archive.gz' -mtime "+${KEEP_DAYS:-14}" -delete
  sleep 86400
done
