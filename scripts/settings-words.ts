/** What each setting is for, in the order of the page. A setting without words fails `npm run check`, and so do words without one. */
export const settingGroups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'What most people set': {
    PUBLIC_URL: 'what people open; links in mails lead there',
    MONGODB_URI: 'MongoDB 8 as a replica set, when one machine is not enough; `npm start` has a database of its own',
    SMTP_URL: 'mail; without it a demo keeps its mails in an outbox, never in production',
    MAIL_FROM: 'the sender of mails',
    ADMIN_EMAIL: 'the first admin, together with `ADMIN_PASSWORD`',
    ADMIN_PASSWORD: 'of the first admin',
    BRAND: 'name, logo and colours',
    NODE_ENV: '`production` wants every secret from the environment',
    LOG_LEVEL: 'one JSON line per event',
    ONE_PROCESS:
      '`1`: database, broker and api share one process (`logs/home.log`), which takes less memory; `0`: each has its own, which carries more toggles a second. What ends one of them in a shared process ends all three, and all three start again'
  },
  Secrets: {
    JWT_SECRET: 'signs access tokens; at least 32 random characters',
    JWT_SECRET_PREVIOUS: 'the one before, while it is rotated out',
    DATA_KEY: '32 random bytes in base64; seals Wi-Fi passwords. Losing it loses them',
    DATA_KEY_PREVIOUS: 'the one before, while it is rotated out',
    INTERNAL_SECRET: 'by which api and broker know each other; at least 32 random characters',
    MQTT_SERVICE_PASSWORD: 'of the account that the api has at the broker; at least 32 random characters'
  },
  'Where things are': {
    HOST: 'web app and api listen there; `npm start` takes `--lan` in its place',
    PORT: 'web app and api listen there; `npm start` takes `--port` in its place',
    INTERNAL_HOST: 'the hooks of the broker; never public',
    INTERNAL_PORT: 'the hooks of the broker; never public',
    METRICS_HOST: 'figures for Prometheus; never public',
    METRICS_PORT:
      'figures for Prometheus at `/metrics`, for each process its own; `0` for none. Under `npm start` with another `--port` it is a free one where it is not set, which the line “the api is up” of the log names. The broker has its own beside its management',
    ALLOWED_HOSTS:
      'names that the server answers to besides that of `PUBLIC_URL` and loopback (`--lan` adds those of this machine)',
    TRUST_PROXY: 'proxies whose word on addresses is taken',
    CORS_ORIGINS: 'other origins that may call',
    DATA_DIR: 'uploads',
    WEB_DIR: 'a web app that was built elsewhere: the folder with its `index.html`',
    S3_BUCKET: 'uploads in S3, in place of `DATA_DIR`',
    S3_REGION: 'of the bucket',
    S3_ENDPOINT: 'of an S3 that is not Amazon',
    S3_ACCESS_KEY: 'of the bucket',
    S3_SECRET_KEY: 'of the bucket',
    CLUSTER_ADAPTER:
      '`redis` when several api instances run; `mongo` for two or three that have no Redis; `none` counts on being the only one',
    REDIS_URL: 'where they tell each other what they hear; `rediss://` by TLS',
    DRAIN_MS:
      'milliseconds in which everything goes on being served after SIGTERM, while `/readyz` is red; `0` under `npm start`',
    SMS_URL:
      'text messages through an HTTP gateway: a GET of this address, in which `{to}` (`+977…`) or `{number}` (without the plus) and `{text}` are filled in',
    SMS_TEMPLATE:
      'JSON with the same places, where the gateway wants a POST with a body: `{"to":"{to}","text":"{text}"}`'
  },
  Boards: {
    MQTT_HOST: 'the broker listens there; `npm start` takes `--lan` in its place',
    MQTT_PORT: 'the broker listens there, by TLS; `npm start` takes `--mqtt-port` in its place',
    MQTT_TLS_CERT_FILE: 'PEM; made by `npm start`. SIGHUP makes the broker read it anew',
    MQTT_TLS_KEY_FILE: 'PEM; made by `npm start`',
    MQTT_CA_FILE: 'PEM; what boards are told to trust',
    MQTT_URL: 'where the api finds the broker',
    MQTT_PUBLIC_HOST: 'what boards are told to connect to, where it is not the host that they asked',
    MQTT_PUBLIC_PORT: 'the port that goes with it',
    MQTT_SERVICE_NETWORKS: 'addresses and networks (`10.0.0.0/8`) that the account of the api is accepted from',
    MQTT_SHARED_GROUP: 'several api instances share one subscription (`$share`); needs `CLUSTER_ADAPTER=redis`',
    MQTT_AUTH_URL: 'where the broker asks who connects',
    MQTT_AUTH_BATCH_URL: 'where it asks for many at once',
    BROKER_API_URL: 'where the api ends connections: the broker, or each of its nodes',
    BROKER_API_PATH: 'where clients stand in that management, without the id',
    BROKER_API_AUTH: '`bearer` (the password, else `INTERNAL_SECRET`) or `basic`',
    BROKER_API_USER: 'of that management, for `basic`; an API key at EMQX',
    BROKER_API_PASSWORD: 'of that management',
    BROKER_HTTP_HOST: 'the management of the broker; never public',
    BROKER_HTTP_PORT: 'the management of the broker; never public',
    ALLOW_LEGACY_PAIRING: 'lets in firmware in the field that knows no pairing code, while a pairing window is open',
    SILENT_MINUTES: 'minutes without a board that was online, until it counts as silent',
    FIRMWARE_TRUSTED_KEYS: 'PEM files of Ed25519 public keys; where it is set, unsigned images are refused',
    FIRMWARE_PROVE_S: 'seconds that a board must stay online with its new version, until its update counts as done',
    ROLLOUT_APPROVAL: 'a second admin must approve a rollout'
  },
  Limits: {
    LIMIT_COMMANDS: 'commands of a screen a second; `0` turns it off',
    LIMIT_JOINS: 'rooms that a screen joins a minute; `0` turns it off',
    LIMIT_CALLS: 'calls of one account that are worked on at a time, the next wait; `0` turns it off',
    LIMIT_SOCKETS:
      'open screens of one account at one api; `0` turns it off, and with it how many connections one address holds',
    LIMIT_BOARDS: 'boards of one account; `0` turns it off',
    LIMIT_PICTURES:
      'pictures that one account uploads in ten minutes; `0` turns it off, and with it how many are under way at once',
    LIMIT_ROOMS: 'rooms of one account; `0` turns it off',
    LIMIT_LOG_ROWS:
      'rows of the action log of one board a minute, five times that at once; the excess comes again; `0` turns it off',
    LIMIT_REPORTS: 'reports of a board a second; `0` turns it and `LIMIT_LOG_ROWS` off',
    LIMIT_CLAIMS: 'pairing codes of an account a minute; `0` turns it and `LIMIT_BOARDS` off',
    LIMIT_DEVICE_REFUSALS: 'refused boards of an address a minute; `0` turns it off',
    MQTT_PACKETS_PER_SECOND: 'packets of one connection a second; `0` turns it off',
    MQTT_PACKETS_BURST: 'packets of one connection at once',
    ACTION_LOG_DAYS: 'how long the action log is kept',
    AUDIT_LOG_DAYS: 'how long the log of what staff did is kept',
    BCRYPT_COST: 'of password hashes; at least 12 in production',
    DEV_OUTBOX: 'shows every mail and code on this machine; refused in production'
  }
}
