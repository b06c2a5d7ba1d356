import { givenIn } from '@batti/kit/node/config'

/** The launcher's settings from the environment. Empty values count as not set. */
export interface Settings {
  production: boolean
  /** Null: the embedded engine is started. */
  mongodbUri: string | null
  /** Mail is sent by a real server, so the outbox shows no codes. */
  hasMailServer: boolean
  /** A web app that was built elsewhere. */
  webDir: string | null
  /** PEM files of the user's own certificate in place of a generated one; both or none. */
  ownCertificate: { certFile: string; keyFile: string; caFile: string | null } | null
  /** `1`: database, broker and api run in one process; `0`: in separate ones. */
  oneProcess: string
  /** npm runs this process in a shell: neither a signal to npm nor the end of npm reaches it. */
  isRunByNpm: boolean
  /** The whole environment, from which the parts read their own settings. */
  env: Readonly<Record<string, string>>
}

/** Settings that only the launcher reads, with their defaults. */
export const launcherSettings = { ONE_PROCESS: '1' } as const

/** Excludes loopback from the proxies of the environment, in case Node is configured to use them. */
function withoutProxyInside(given: Record<string, string>): Record<string, string> {
  if (!Object.keys(given).some((name) => /^https?_proxy$/i.test(name))) return given
  // Node reads the lower-case name first.
  const name = given['no_proxy'] === undefined && given['NO_PROXY'] !== undefined ? 'NO_PROXY' : 'no_proxy'
  const own = '127.0.0.1,localhost'
  return { ...given, [name]: given[name] === undefined ? own : `${given[name]},${own}` }
}

/** Reads the environment once. */
export function readSettings(env: Readonly<Record<string, string | undefined>> = process.env): Settings {
  const given = withoutProxyInside(givenIn(env))
  const [certFile, keyFile] = [given['MQTT_TLS_CERT_FILE'], given['MQTT_TLS_KEY_FILE']]
  return {
    production: given['NODE_ENV'] === 'production',
    mongodbUri: given['MONGODB_URI'] ?? null,
    hasMailServer: given['SMTP_URL'] !== undefined,
    webDir: given['WEB_DIR'] ?? null,
    ownCertificate:
      certFile === undefined || keyFile === undefined
        ? null
        : { certFile, keyFile, caFile: given['MQTT_CA_FILE'] ?? null },
    oneProcess: given['ONE_PROCESS'] ?? launcherSettings.ONE_PROCESS,
    isRunByNpm: given['npm_lifecycle_script']?.includes('launcher/src/main.ts') === true,
    env: given
  }
}
