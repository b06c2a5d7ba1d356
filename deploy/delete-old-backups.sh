#!/bin/sh
# Deletes archives older than DAYS, but never the newest DAYS of them: a clock that runs ahead makes all of them look old.
# Usage: delete-old-backups.sh FOLDER PATTERN DAYS, where PATTERN matches the names of archives.
set -u
# The pattern is expanded here.
# shellcheck disable=SC2086
ls -1td "$1"/$2 | tail -n "+$(($3 + 1))" | while IFS= read -r archive; do
  find "$archive" -maxdepth 0 -mtime "+$3" -delete
done
