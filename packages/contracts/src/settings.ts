import { z } from 'zod'
import { wholeNumber } from './http/fields.ts'

/** What a server can listen on: a host without a port, IPv6 without brackets. */
export const listenHost = z
  .string()
  .regex(
    /^(?:[^\s:/@[\]]+|(?=.*:.*:)[\da-f:.]+(?:%\w+)?)$/i,
    'must be a name or an address alone, for example 127.0.0.1 or ::'
  )
/** 0 lets the system choose. */
export const listenPort = wholeNumber(0, 65_535)
export const logLevel = z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
