#!/bin/sh
# RMQTT reads no environment: what is secret or differs by node is put into a copy of these files.
set -eu
: "${NODE_ID:?}" "${INTERNAL_SECRET:?set it to at least 32 random characters, the same for brokers and api}"
umask 077
mkdir -p /run/rmqtt/plugins
for file in rmqtt.toml plugins/rmqtt-auth-http.toml plugins/rmqtt-http-api.toml plugins/rmqtt-cluster-raft.toml plugins/rmqtt-shared-subscription.toml; do
  sed -e "s|@INTERNAL_SECRET@|$INTERNAL_SECRET|g" \
    -e "s|@HOOKS@|${HOOKS:-http://hooks:49999}|g" -e "s|@DOMAIN@|${DOMAIN:-}|g" -e "s|@PREFIX@|${PREFIX:-rmqtt}|g" "/config/$file" >"/run/rmqtt/$file"
done
exec /app/rmqtt/rmqtt-bin/rmqttd -f /run/rmqtt/rmqtt.toml --id "$NODE_ID"
