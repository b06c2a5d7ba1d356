import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import type { Config } from '../config.ts'

/** Redacted anywhere in a logged object. */
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
 * Reduces an error to its messages and codes. Its other properties are dropped: a failed bulk write carries every row, with
 * what people wrote in it.
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

/** Writes to standard output unless given another destination. */
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

/** Logs what nobody has caught. An exception ends the process, because what it has left half done is unknown. */
export function logUncaught(log: Logger): void {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a rejection was not handled'))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an exception was not caught')
    process.exit(1)
  })
}
