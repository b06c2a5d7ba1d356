import { pino, type Logger } from 'pino'

/** Creates a logger in the format that all parts share. */
export const createLog = (level: string): Logger =>
  pino({ level, base: { part: 'broker' }, timestamp: pino.stdTimeFunctions.isoTime })
