import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'
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

/**
 * An error's words and codes. What else hangs on it stays out: a write of many rows that failed carries each of them, and what
 * people wrote there.
 */
function wordsOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const words = Object.entries(pino.stdSerializers.err(error)).filter(
    ([, value]) => value === null || typeof value !== 'object'
  )
  return {
    ...Object.fromEntries(words),
    ...(error instanceof AggregateError ? { aggregateErrors: error.errors.map(wordsOf) } : {})
  }
}

/** Writes to the standard output, where it is not told another. */
export function createLogger(config: Pick<Config, 'LOG_LEVEL'>, to?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level: config.LOG_LEVEL,
    base: { part: 'api' },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: wordsOf },
    redact: { paths: [...secretPaths, ...secretPaths.map((path) => `*.${path}`)], censor: '[redacted]' }
  }
  return pino(options, to)
}
