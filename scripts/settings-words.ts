/** The description of each setting, in the order of the page. `npm run check` fails for a setting without one, and the reverse. */
export const settingGroups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'What most people set': {
    PUBLIC_URL: 'the address that people open; links in mails point there',
    MONGODB_URI:
      'a MongoDB 8 replica set, when one machine is not enough; `npm start` brings an embedded database instead',
    SMTP_URL: 'the mail server; without it a demo keeps its mails in an outbox, which production never does',
    MAIL_FROM: 'the sender of mails',
    ADMIN_EMAIL: 'e-mail address of the first admin; needs `ADMIN_PASSWORD`',
    ADMIN_PASSWORD: 'password of the first admin',
    BRAND: 'name, logo and colours',
    NODE_ENV: '`production` requires every secret to come from the environment',
    LOG_LEVEL: 'the least severe level that is logged, one JSON line per event',
    ONE_PROCESS:
      '`1`: database, broker and api share one process (`logs/home.log`), which needs less memory; `0`: each has its own process, which sustains more toggles a second. In a shared process a crash of one part ends all three, and all three are restarted'
  },
  Secrets: {
    JWT_SECRET: 'signs access tokens; at least 32 random characters',
    JWT_SECRET_PREVIOUS: 'the previous one, during a rotation',
    DATA_KEY: '32 random bytes in base64; encrypts Wi-Fi passwords. Without it they cannot be recovered',
    DATA_KEY_PREVIOUS: 'the previous ones, separated by commas, during a rotation',
    INTERNAL_SECRET: 'authenticates api and broker to each other; at least 32 random characters',
    MQTT_SERVICE_PASSWORD: "password of the api's account at the broker; at least 32 random characters"
  },
  'Where things are': {
    HOST: 'address that the web app and api listen on; `npm start` uses `--lan` instead',
    PORT: 'port that the web app and api listen on; `npm start` uses `--port` instead',
    INTERNAL_HOST: 'address of the hooks that the broker calls; never make it public',
    INTERNAL_PORT: 'port of the hooks that the broker calls; never make it public',
    METRICS_HOST: 'address of the metrics for Prometheus; never make it public',
    METRICS_PORT:
      'port of the metrics for Prometheus at `/metrics`, one for each process; `0` turns them off. If it is not set and `npm start` runs with another `--port`, a free port is used, which the log line “the api is up” names. The broker serves its own metrics on its management port',
    ALLOWED_HOSTS:
      'host names that the server accepts besides that of `PUBLIC_URL` and loopback (`--lan` adds those of this machine)',
    TRUST_PROXY: 'proxies whose forwarded addresses are trusted',
    CORS_ORIGINS: 'other origins that may call the api',
    DATA_DIR: 'folder for uploads',
    WEB_DIR: 'folder of a web app that was built elsewhere, with its `index.html`',
    S3_BUCKET: 'bucket for uploads in S3, instead of `DATA_DIR`',
    S3_REGION: 'region of the bucket',
    S3_ENDPOINT: 'endpoint of an S3 service other than Amazon',
    S3_ACCESS_KEY: 'access key of the bucket',
    S3_SECRET_KEY: 'secret key of the bucket',
    CLUSTER_ADAPTER:
      '`redis` when several api instances run; `mongo` for two or three instances without Redis; `none` assumes a single instance',
    REDIS_URL: 'the Redis through which api instances exchange events; `rediss://` for TLS',
    DRAIN_MS:
      'how long requests are still served after SIGTERM, in milliseconds, while `/readyz` is red; `0` under `npm start`',
    SMS_URL:
      'HTTP gateway for text messages: a GET of this address, in which `{to}` (`+977…`) or `{number}` (without the plus) and `{text}` are filled in',
    SMS_TEMPLATE:
      'JSON body with the same placeholders, for a gateway that expects a POST: `{"to":"{to}","text":"{text}"}`'
  },
  Boards: {
    MQTT_HOST: 'address that the broker listens on; `npm start` uses `--lan` instead',
    MQTT_PORT: 'port that the broker listens on, with TLS; `npm start` uses `--mqtt-port` instead',
    MQTT_TLS_CERT_FILE: 'certificate in PEM; `npm start` makes one. SIGHUP makes the broker reload it',
    MQTT_TLS_KEY_FILE: 'key in PEM; `npm start` makes one',
    MQTT_CA_FILE: 'the CA that boards are told to trust, in PEM',
    MQTT_URL: 'address of the broker, for the api',
    MQTT_PUBLIC_HOST: 'host that boards are told to connect to, if it is not the one they called',
    MQTT_PUBLIC_PORT: 'port that boards are told to connect to',
    MQTT_SERVICE_NETWORKS: "addresses and networks (`10.0.0.0/8`) from which the api's account may connect",
    MQTT_SHARED_GROUP:
      'name of the subscription (`$share`) that several api instances share; needs `CLUSTER_ADAPTER=redis`',
    MQTT_AUTH_URL:
      'hook that the broker asks about each connection, or hooks of several apis, separated by commas: it asks the one that answered last, and the next where that does not answer',
    MQTT_AUTH_BATCH_URL: 'the same for many connections at once',
    BROKER_API_URL: 'management API that the api closes connections with: of the broker, or of each of its nodes',
    BROKER_API_PATH: 'path of the clients in that API, without the client id',
    BROKER_API_AUTH: '`bearer` (the password, else `INTERNAL_SECRET`) or `basic`',
    BROKER_API_USER: 'user of that API, for `basic`; at EMQX an API key',
    BROKER_API_PASSWORD: 'password of that API',
    BROKER_HTTP_HOST: "address of the broker's management API; never make it public",
    BROKER_HTTP_PORT: "port of the broker's management API; never make it public",
    ALLOW_LEGACY_PAIRING: 'accepts firmware that knows no pairing code, while a pairing window is open',
    SILENT_MINUTES: 'minutes offline after which a board counts as silent',
    FIRMWARE_TRUSTED_KEYS: 'PEM files of Ed25519 public keys; if set, unsigned images are refused',
    FIRMWARE_PROVE_S: 'seconds that a board must stay online with its new version before its update counts as done',
    ROLLOUT_APPROVAL: 'requires a second admin to approve each rollout and bulk change'
  },
  Limits: {
    LIMIT_COMMANDS:
      'commands a second from one screen; all screens of an account together at one api instance: ten times as many; `0` turns it off',
    LIMIT_JOINS: 'rooms a minute that one screen joins; `0` turns it off',
    LIMIT_CALLS:
      'calls of one account that run at the same time at one api instance, further ones wait; `0` turns it off',
    LIMIT_SOCKETS:
      'open screens of one account at one api instance; `0` turns off this limit and that of connections for each address',
    LIMIT_BOARDS: 'boards of one account; `0` turns it off',
    LIMIT_PICTURES:
      'pictures that one account uploads in ten minutes; `0` turns off this limit and that of concurrent uploads',
    LIMIT_ROOMS: 'rooms of one account; `0` turns it off',
    LIMIT_LOG_ROWS:
      'action log rows a minute for one board at one api instance, bursts of five times as many; all boards of an account together: ten times as many; boards repeat what exceeds it; `0` turns it off',
    LIMIT_REPORTS:
      'reports a second from one board at one api instance; all boards of an account together: ten times as many; `0` turns off this limit and `LIMIT_LOG_ROWS`',
    LIMIT_CLAIMS:
      'pairing codes a minute for one account at one api instance; `0` turns off this limit and `LIMIT_BOARDS`',
    LIMIT_DEVICE_REFUSALS: 'refused boards a minute from one address at one api instance; `0` turns it off',
    MQTT_PACKETS_PER_SECOND: 'packets a second on one connection; `0` turns it off',
    MQTT_PACKETS_BURST: 'packets in a burst on one connection',
    ACTION_LOG_DAYS: 'days that the action log is kept',
    AUDIT_LOG_DAYS: 'days that the audit log of staff actions is kept',
    BCRYPT_COST: 'cost of password hashes; at least 12 in production',
    DEV_OUTBOX: 'shows every mail and code on this machine; refused in production'
  }
}
