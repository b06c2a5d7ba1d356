import { randomBytes, randomInt } from 'node:crypto'
import { join } from 'node:path'
import { LaunchError } from '../launch-error.ts'
import { readIfThere, readJsonObject, writePrivateFile } from './private-file.ts'

const serverSecrets = ['JWT_SECRET', 'DATA_KEY', 'INTERNAL_SECRET', 'MQTT_SERVICE_PASSWORD'] as const
const demoPasswords = ['USER_PASSWORD', 'ADMIN_PASSWORD', 'MONITOR_PASSWORD'] as const
type SecretName = (typeof serverSecrets)[number] | (typeof demoPasswords)[number]
export type Secrets = Readonly<Record<SecretName, string>>

export interface SecretsParts {
  folder: string
  production: boolean
  env: Readonly<Record<string, string>>
}

/**
 * Returns the secrets of this data folder: from the environment, else random ones that are generated once and kept in
 * `secrets.json` (0600). In production the environment must set them all: a file beside the data they protect is no secret.
 * @throws LaunchError naming what is missing or unreadable.
 */
export function readSecrets({ folder, production, env }: SecretsParts): Secrets {
  const missing = serverSecrets.filter((name) => env[name] === undefined)
  if (production && missing.length > 0) {
    throw new LaunchError(
      `In production the secrets come from the environment: set ${missing.join(', ')} (for example \`openssl rand -base64 32\` each).`
    )
  }
  const path = join(folder, 'secrets.json')
  const stored = readJsonObject(path)
  // Never replace a damaged file: everything encrypted with the old keys would become unreadable.
  if (stored === null && readIfThere(path) !== null) {
    throw new LaunchError(`${path} is damaged. Put it back from a backup, or start with another --data folder.`)
  }
  const kept = (name: SecretName, make: () => string): string => {
    const value = stored?.[name]
    return typeof value === 'string' && value !== '' ? value : make()
  }
  const own = {
    JWT_SECRET: kept('JWT_SECRET', () => randomBytes(48).toString('base64url')),
    DATA_KEY: kept('DATA_KEY', () => randomBytes(32).toString('base64')),
    INTERNAL_SECRET: kept('INTERNAL_SECRET', () => randomBytes(36).toString('base64url')),
    MQTT_SERVICE_PASSWORD: kept('MQTT_SERVICE_PASSWORD', () => randomBytes(36).toString('base64url')),
    USER_PASSWORD: kept('USER_PASSWORD', typablePassword),
    ADMIN_PASSWORD: kept('ADMIN_PASSWORD', typablePassword),
    MONITOR_PASSWORD: kept('MONITOR_PASSWORD', typablePassword)
  }
  if (!production && JSON.stringify(own) !== JSON.stringify(stored)) {
    writePrivateFile(path, `${JSON.stringify(own, null, 2)}\n`)
  }
  const chosen: Record<SecretName, string> = { ...own }
  for (const name of serverSecrets) chosen[name] = env[name] ?? own[name]
  return chosen
}

/** Characters that do not look alike: demo passwords are read from a terminal and typed into a phone. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Generates a password of three groups of four characters: 59 bits, easy to read aloud. */
function typablePassword(): string {
  const letter = (): string => alphabet.charAt(randomInt(alphabet.length))
  return Array.from({ length: 3 }, () => letter() + letter() + letter() + letter()).join('-')
}
