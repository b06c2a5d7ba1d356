#!/bin/sh
# RMQTT does not read environment variables, so this script writes secrets and the values of each node into a copy of the files.
# All variables except the first two have defaults. The HTTP API listens on loopback unless API_ADDR is set, which is meant for
# nodes with their own internal network. Arguments are passed to rmqttd.
set -eu
: "${NODE_ID:?}" "${INTERNAL_SECRET:?set it to at least 32 random characters, the same for brokers and api}"
case "$INTERNAL_SECRET" in
*[\&\|\"\\]*)
  echo 'INTERNAL_SECRET contains one of & | " \, which cannot be written into the files of RMQTT: use the output of openssl rand -hex 32' >&2
  exit 1
  ;;
esac
config=${CONFIG_DIR:-/config}
run=${RUN_DIR:-/run/rmqtt}
umask 077
mkdir -p "$run/plugins"
for file in rmqtt.toml plugins/rmqtt-auth-http.toml plugins/rmqtt-http-api.toml plugins/rmqtt-cluster-raft.toml plugins/rmqtt-shared-subscription.toml; do
  sed -e "s|@INTERNAL_SECRET@|$INTERNAL_SECRET|g" -e "s|@RUN_DIR@|$run|g" -e "s|@TLS_DIR@|${TLS_DIR:-/tls}|g" \
    -e "s|@HOOKS@|${HOOKS:-http://hooks:49999}|g" -e "s|@DOMAIN@|${DOMAIN:-}|g" -e "s|@PREFIX@|${PREFIX:-rmqtt}|g" \
    -e "s|@MQTT_ADDR@|${MQTT_ADDR:-0.0.0.0:8883}|g" -e "s|@API_ADDR@|${API_ADDR:-127.0.0.1:6060}|g" \
    -e "s|@RPC_ADDR@|${RPC_ADDR:-0.0.0.0:5363}|g" -e "s|@RAFT_ADDR@|${RAFT_ADDR:-0.0.0.0:6003}|g" "$config/$file" >"$run/$file"
done
exec "${RMQTTD:-/app/rmqtt/rmqtt-bin/rmqttd}" -f "$run/rmqtt.toml" --id "$NODE_ID" "$@"
