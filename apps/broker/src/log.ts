import { pino, type Logger } from 'pino'

/** The shape of every part's log. */
export const createLog = (level: string): Logger =>
  pino({ level, base: { part: 'broker' }, timestamp: pino.stdTimeFunctions.isoTime })
