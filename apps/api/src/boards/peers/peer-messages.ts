import { changeCause, deviceReport, deviceStatus } from '@batti/contracts'
import { z } from 'zod'

/** What api instances tell each other of boards that only one of them hears. */

const board = z.object({ id: z.string(), mac: z.string(), userId: z.string().nullable() })

/** A report that was taken: what it made of its board, and what screens are told of it. */
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
  /** Outlets that are told as changed. */
  changed: z.array(z.int()),
  cause: changeCause,
  commandId: z.string().optional(),
  result: deviceReport.shape.result,
  reason: z.string().optional(),
  at: z.number(),
  /** Which report said it. */
  report: z.object({ bootId: z.string(), seq: z.int() }),
  facts: z.record(z.string(), z.union([z.string(), z.number()])).nullable(),
  /** The first since its power came on. */
  isBoot: z.boolean(),
  /** It came after a newer one, and answers a command that is still waited for. */
  isLate: z.boolean()
})
export type ReportTaken = z.infer<typeof reportTaken>

/** A report that another had overtaken has come: what it says is not to be told as found. */
export const reportExplained = z.object({ id: z.string(), indexes: z.array(z.int()) })

/** A board has come or gone, or took its own place. */
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

/** A report that answers a command of the instance that is told. */
export const reportHandedOver = z.object({ id: z.string(), report: z.unknown() })

/** Which boards have come onto screens of an instance, and which have left them; or, `isWhole`, all that are on one. */
export const boardsShown = z.object({
  instance: z.string(),
  shown: z.array(z.string()),
  hidden: z.array(z.string()),
  isWhole: z.boolean()
})
export type BoardsShown = z.infer<typeof boardsShown>

/** By which name the broker reaches an instance; null: by none now. */
export const linkStands = z.object({ instance: z.string(), name: z.string().nullable() })

/** Accounts that call an instance now. It asks for what others have not told it yet, and numbers its questions. */
export const callersCame = z.object({ instance: z.string(), question: z.int(), userIds: z.array(z.string()) })

/** All that was to tell has been told before this. */
export const callersHeard = z.object({ instance: z.string(), to: z.string(), question: z.int() })
