import { ConfigError, readConfig as readApiConfig, type Config as ApiConfig } from '@batti/api/platform/config'
import { readConfig as readBrokerConfig, type Config as BrokerConfig } from '@batti/broker/config'

/** Reads the settings of api and broker. @throws Error that names all faults of both. */
export function readConfigs(env: Readonly<Record<string, string>>): { ofApi: ApiConfig; ofBroker: BrokerConfig } {
  const ofBroker = readBrokerConfig(env)
  const faults = ofBroker.ok ? [] : ofBroker.faults.map((fault) => `broker: ${fault}`)
  try {
    const ofApi = readApiConfig(env)
    if (ofBroker.ok) return { ofApi, ofBroker: ofBroker.config }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    faults.unshift(error.message)
  }
  throw new Error(faults.join('\n'))
}
