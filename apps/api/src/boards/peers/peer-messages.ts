import { changeCause, deviceReport, deviceStatus } from '@batti/contracts'
import { z } from 'zod'

/** Messages between api instances about boards that only one of them hears. */

const board = z.object({ id: z.string(), mac: z.string(), userId: z.string().nullable() })

/** An accepted report: the resulting state of its board, and what screens are told. */
export const reportTaken = board.extend({
  switch: z.array(z.boolean()),
  speed: z.array(z.number()),
  bootId: z.string(),
  seq: z.int(),
  earlierBoots: z.array(z.string()),
  conn: z.int(),
  stateAt: z.number(),
  configConfirmedRev: z.int(),
  schedulesConfirmedRev: z.int(),
  /** Indexes of the outlets that are announced as changed. */
  changed: z.array(z.int()),
  cause: changeCause,
  commandId: z.string().optional(),
  result: deviceReport.shape.result,
  reason: z.string().optional(),
  at: z.number(),
  /** Identifies the report. */
  report: z.object({ bootId: z.string(), seq: z.int() }),
  facts: z.record(z.string(), z.union([z.string(), z.number()])).nullable(),
  /** Whether it is the first report since power-on. */
  isBoot: z.boolean(),
  /** Whether it arrived after a newer one and answers a command that is still pending. */
  isLate: z.boolean()
})
export type ReportTaken = z.infer<typeof reportTaken>

/** An overtaken report that nobody waits for has arrived: the named outlets are no longer to be logged as found. */
export const reportExplained = z.object({ id: z.string(), indexes: z.array(z.int()) })

/** A board went online or offline, or replaced its own connection. */
export const presenceTaken = board.extend({
  isOnline: z.boolean(),
  bootId: z.string(),
  conn: z.int(),
  seq: z.int(),
  earlierBoots: z.array(z.string()),
  lastMessageAt: z.number(),
  at: z.number(),
  status: deviceStatus.optional()
})
export type PresenceTaken = z.infer<typeof presenceTaken>

export const signalTaken = board.extend({ wifiRSSI: z.number(), at: z.number() })

/** A report that answers a command of the receiving instance, and when it arrived, which earlier versions do not send. */
export const reportHandedOver = z.object({ id: z.string(), report: z.unknown(), at: z.number().optional() })

/** Boards that have appeared on screens of an instance, and boards that have left them; with `isWhole`, all that are shown. */
export const boardsShown = z.object({
  instance: z.string(),
  shown: z.array(z.string()),
  hidden: z.array(z.string()),
  isWhole: z.boolean()
})
export type BoardsShown = z.infer<typeof boardsShown>

/** The name by which the broker reaches an instance; null while there is none. */
export const linkStands = z.object({ instance: z.string(), name: z.string().nullable() })

/** Accounts that now call an instance. It numbers its questions, and asks for what others have not told it yet. */
export const callersCame = z.object({ instance: z.string(), question: z.int(), userIds: z.array(z.string()) })

/** Answers a question: everything there was to tell has been sent before this message. */
export const callersHeard = z.object({ instance: z.string(), to: z.string(), question: z.int() })
