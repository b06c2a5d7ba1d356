import { ConfigError, environment as ofApi, readConfig } from '@batti/api/platform/config'
import { environment as ofBroker } from '@batti/broker/config'
import leven from 'leven'
import { randomBytes } from 'node:crypto'
import { launcherSettings, type Settings } from '../../config.ts'
import { launcherFaults } from '../../launch/launcher-faults.ts'
import type { Fault } from './fault.ts'

const where = 'the environment'
const known = Object.keys({ ...ofApi.shape, ...ofBroker.shape, ...launcherSettings })

/** Finds settings with values that are refused, and names that are almost those of settings. */
export function settingFaults(settings: Settings): Fault[] {
  const { env } = settings
  const refused = [...new Set([...launcherFaults(settings), ...faultsOfApi(settings), ...faultsOfBroker(env)])]
  return [
    ...refused.map((fault) => ({
      what: fault.replace(/\.$/, ''),
      where,
      do: 'Correct it, as docs/settings.md says.'
    })),
    ...Object.keys(env).flatMap(misspelled)
  ]
}

function faultsOfApi({ env, production }: Settings): readonly string[] {
  const secret = (): string => randomBytes(32).toString('base64')
  const madeAtStart = {
    MONGODB_URI: 'mongodb://127.0.0.1',
    JWT_SECRET: secret(),
    INTERNAL_SECRET: secret(),
    MQTT_SERVICE_PASSWORD: secret(),
    ...(production ? {} : { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: secret() })
  }
  // The keys of the data and the certificates are examined on their own.
  const examined = { DATA_KEY: secret(), DATA_KEY_PREVIOUS: '', MQTT_CA_FILE: '' }
  try {
    readConfig({ ...madeAtStart, ...env, ...examined })
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

/** Checks what only the broker reads. */
const faultsOfBroker = (env: Settings['env']): string[] =>
  Object.entries(ofBroker.shape).flatMap(([name, schema]) => {
    if (env[name] === undefined || name in ofApi.shape || name.startsWith('MQTT_TLS_')) return []
    return schema.safeParse(env[name]).error?.issues.map(({ message }) => `${name}: ${message}`) ?? []
  })

/** Reports a name that is no setting, and differs from one by a slip. Short names are those of other programs too. */
function misspelled(name: string): Fault[] {
  if (name.length < 6 || known.includes(name)) return []
  const mistakes = name.length < 8 ? 1 : 2
  const meant = known.find((setting) => setting.length >= 6 && leven(name, setting) <= mistakes)
  if (meant === undefined) return []
  return [
    {
      what: `${name} is no setting, so that nothing reads it`,
      where,
      do: `Perhaps ${meant} is meant: see docs/settings.md.`
    }
  ]
}
