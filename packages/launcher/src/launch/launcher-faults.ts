import type { Settings } from '../config.ts'

/** Returns what is wrong with the settings that only the launcher reads, one sentence each. */
export function launcherFaults({ env, oneProcess }: Pick<Settings, 'env' | 'oneProcess'>): string[] {
  const faults: string[] = []
  const given = ['MQTT_TLS_CERT_FILE', 'MQTT_TLS_KEY_FILE'].filter((name) => env[name] !== undefined)
  if (given.length === 1)
    faults.push(`${given[0]} is set alone: a certificate needs MQTT_TLS_CERT_FILE and MQTT_TLS_KEY_FILE.`)
  if (given.length === 0 && env['MQTT_CA_FILE'] !== undefined)
    faults.push(
      'MQTT_CA_FILE is set alone: it is the CA of MQTT_TLS_CERT_FILE and MQTT_TLS_KEY_FILE. Leave it out for a certificate that is made here.'
    )
  if (!['0', '1'].includes(oneProcess)) faults.push(`ONE_PROCESS is 1 or 0, not “${oneProcess}”.`)
  return faults
}
