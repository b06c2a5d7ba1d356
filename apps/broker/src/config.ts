import { defaultMqttPort, mqttAuthPath, wholeNumber } from '@batti/contracts'
import { httpUrls, listenHost, listenPort, logLevel, secret } from '@batti/contracts/settings'
import { givenIn } from '@batti/kit/node/config'
import { isReadableFile } from '@batti/kit/node/files'
import { z } from 'zod'

const pemFile = (what: string) =>
  z.string(`must name the PEM file of the ${what}`).refine(isReadableFile, 'names a file that cannot be read')
/** The hook of the api, or of each api. */
const hookUrls = httpUrls('must be http://… or https://…')
const count = (fallback: number) => wholeNumber(0, 1_000_000).default(fallback)

export const environment = z.object({
  MQTT_HOST: listenHost.default('127.0.0.1'),
  MQTT_PORT: listenPort.default(defaultMqttPort),
  MQTT_TLS_CERT_FILE: pemFile('certificate'),
  MQTT_TLS_KEY_FILE: pemFile('private key'),
  MQTT_AUTH_URL: hookUrls.prefault(`http://127.0.0.1:49999${mqttAuthPath}`),
  MQTT_AUTH_BATCH_URL: hookUrls.optional(),
  INTERNAL_SECRET: secret,
  BROKER_HTTP_HOST: listenHost.default('127.0.0.1'),
  BROKER_HTTP_PORT: listenPort.default(18083),
  MQTT_PACKETS_PER_SECOND: count(100),
  MQTT_PACKETS_BURST: count(200),
  LOG_LEVEL: logLevel.default('info')
})

export interface Config {
  readonly mqttHost: string
  readonly mqttPort: number
  readonly certFile: string
  readonly keyFile: string
  readonly authUrls: readonly URL[]
  /** Empty when the apis have no batch endpoint. */
  readonly authBatchUrls: readonly URL[]
  readonly secret: string
  readonly httpHost: string
  readonly httpPort: number
  /** Packets per second that one board may send on average; `packetsBurst` is how many at once. 0 turns the limit off. */
  readonly packetsPerSecond: number
  readonly packetsBurst: number
  readonly logLevel: string
}

/** Reads the environment. Returns all faults, each as a sentence, when it is invalid. */
export function readConfig(
  env: Readonly<Record<string, string | undefined>> = process.env
): { ok: true; config: Config } | { ok: false; faults: string[] } {
  const parsed = environment.safeParse(givenIn(env))
  if (!parsed.success) {
    return { ok: false, faults: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) }
  }
  const { data } = parsed
  return {
    ok: true,
    config: Object.freeze({
      mqttHost: data.MQTT_HOST,
      mqttPort: data.MQTT_PORT,
      certFile: data.MQTT_TLS_CERT_FILE,
      keyFile: data.MQTT_TLS_KEY_FILE,
      authUrls: data.MQTT_AUTH_URL.map((url) => new URL(url)),
      authBatchUrls: (data.MQTT_AUTH_BATCH_URL ?? []).map((url) => new URL(url)),
      secret: data.INTERNAL_SECRET,
      httpHost: data.BROKER_HTTP_HOST,
      httpPort: data.BROKER_HTTP_PORT,
      packetsPerSecond: data.MQTT_PACKETS_PER_SECOND,
      packetsBurst: data.MQTT_PACKETS_BURST,
      logLevel: data.LOG_LEVEL
    })
  }
}
