import { pino, type Logger } from 'pino'
import type { Config } from '../config.ts'

/** Never written, wherever they stand in what is logged. */
const secretPaths = [
  'password',
  'newPassword',
  'oldPassword',
  'otp',
  'token',
  'accessToken',
  'refreshToken',
  'registrationToken',
  'wifiPassword',
  'mqttPassword',
  'deviceToken',
  'authorization',
  'cookie'
]

export function createLogger(config: Pick<Config, 'LOG_LEVEL'>): Logger {
  return pino({
    level: config.LOG_LEVEL,
    base: { part: 'api' },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: [...secretPaths, ...secretPaths.map((path) => `*.${path}`)], censor: '[redacted]' }
  })
}
