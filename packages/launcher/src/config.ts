import { givenIn } from '@batti/kit/node/config'

/** What the launcher takes from the environment. Empty values count as not set. */
export interface Settings {
  production: boolean
  /** Null: the embedded engine is started. */
  mongodbUri: string | null
  /** Mail goes out for real, so nobody's codes can be read here. */
  hasMailServer: boolean
  /** A web app that was built elsewhere. */
  webDir: string | null
  /** PEM files of a certificate of one's own, instead of the made one; both or none. */
  ownCertificate: { certFile: string; keyFile: string; caFile: string | null } | null
  /** Database, broker and api in one process: `1`, or apart: `0`. */
  oneProcess: string
  /** npm runs this process in a shell, and ends without a word to it. */
  isRunByNpm: boolean
  /** Everything, for the parts to read their own settings from. */
  env: Readonly<Record<string, string>>
}

/** What is read nowhere but here, with its default. */
export const launcherSettings = { ONE_PROCESS: '1' } as const

/** What speaks on this machine alone asks no proxy for it, also where Node is told to use those of the environment. */
function withoutProxyInside(given: Record<string, string>): Record<string, string> {
  if (!Object.keys(given).some((name) => /^https?_proxy$/i.test(name))) return given
  // Node looks for the name in small letters first.
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
