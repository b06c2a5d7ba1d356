import { setTimeout as wait } from 'node:timers/promises'
import type { ChangeCause, DeviceReport } from '@batti/contracts'
import { createSemaphore } from '@batti/kit/semaphore'
import { Types, type Model } from 'mongoose'
import { createFairShare } from '../../platform/http/limits/fair-share.ts'
import type { CommandDocument } from '../commands/command.model.ts'
import { createCommandLookups } from './command-lookups.ts'
import { ownerOf, type OwnedBoard } from './lookups-under-way.ts'
import { createWaitingReads } from './waiting-reads.ts'
import { causeOfRow, type ActionLogDocument } from './action-log.model.ts'
import { timeBefore } from './gaps.ts'

/** Delays between lookups of a command of another instance, which is stored shortly after it was sent. 1.3 s in total. */
const lookAgainMs = [0, 10, 20, 40, 80, 160, 320, 640]

/** A board repeats a report until it is acknowledged, so its row is usually among the newest. */
const logRowsSearched = 100

/** How often further rows are read for one report: a board may have kept hundreds of reports. */
const readsBackMost = 10

/** The log is read so often at a time. Few, so that writes always find a free connection (`maxPoolSize`). */
const readsAtOnce = 6

type LoggedRow = Pick<
  ActionLogDocument,
  'report' | 'switchIndex' | 'state' | 'speed' | 'commandId' | 'cause' | 'from' | 'userName' | 'createdAt'
>

/** What the log knows of a report that may have been stored before a restart. */
export interface PlaceInLog {
  isLogged: boolean
  /** If it is missing: a time between the rows of the reports around it; undefined if no later report of its boot is logged. */
  overtakenAt?: number | undefined
}

/**
 * Looks up what was stored of a board's reports and commands. After an outage of the database all boards repeat their
 * reports, so lookups share their reads, and few are made at a time: of one account only one, so that its reports delay nobody
 * else's.
 */
export function createReportLookups({
  actionLogs,
  commands,
  isClustered
}: {
  actionLogs: Model<ActionLogDocument>
  commands: Model<CommandDocument>
  /** Whether other api instances send commands to the same boards. */
  isClustered: boolean
}) {
  const { run } = createSemaphore(readsAtOnce)
  const share = createFairShare(1)
  const waiting = createWaitingReads<Promise<LoggedRow[]>>()
  const commandOf = createCommandLookups(commands, share)

  /** Returns a board's newest rows, or those up to a time. One read serves all reports of the board that wait for it. */
  function newestRows(board: OwnedBoard, until?: number): Promise<LoggedRow[]> {
    const key = `${board.id} ${until ?? ''}`
    const known = waiting.get(key)
    if (known !== undefined) return known
    const read = share(ownerOf(board), () =>
      run(() => {
        waiting.begin(key)
        return readRows(board.id, until)
      })
    )
    waiting.keep(key, read, read)
    return read
  }

  const readRows = (deviceId: string, until: number | undefined): Promise<LoggedRow[]> =>
    actionLogs
      .find(
        {
          deviceId: new Types.ObjectId(deviceId),
          ...(until !== undefined && { createdAt: { $lte: new Date(until) } })
        },
        { report: 1, switchIndex: 1, state: 1, speed: 1, commandId: 1, cause: 1, from: 1, userName: 1, createdAt: 1 }
      )
      .sort({ createdAt: -1 })
      .limit(logRowsSearched)
      .lean<LoggedRow[]>()
      .exec()

  /** Yields a board's rows, newest first, a read at a time. Those of the moment between two reads come with both. */
  async function* rowsBack(board: OwnedBoard): AsyncGenerator<LoggedRow[]> {
    let until: number | undefined
    for (let reads = 0; reads < readsBackMost; reads++) {
      const rows = await newestRows(board, until)
      yield rows
      if (rows.length < logRowsSearched) return
      until = rows.at(-1)?.createdAt.getTime()
    }
  }

  /** Finds the cause of a report that was stored before a restart but not acknowledged, and is therefore repeated. */
  async function causeInLog(board: OwnedBoard, commandId: string): Promise<ChangeCause | undefined> {
    const row = (await newestRows(board)).find((each) => each.commandId === commandId)
    return row === undefined ? undefined : (causeOfRow(row) ?? undefined)
  }

  return {
    /** Looks for a report among its board's newest rows, back to those of earlier reports, and near its own `occurredAt`. */
    async placeInLog(board: OwnedBoard, { bootId, seq, occurredAt }: DeviceReport): Promise<PlaceInLog> {
      const ofBoot = (rows: readonly LoggedRow[]) => rows.filter(({ report }) => report?.bootId === bootId)
      const isAmong = (rows: readonly LoggedRow[]): boolean => ofBoot(rows).some((row) => seqOf(row) === seq)
      const own: LoggedRow[] = []
      let isWholeLog = true
      for await (const rows of rowsBack(board)) {
        if (isAmong(rows)) return { isLogged: true }
        own.push(...ofBoot(rows))
        isWholeLog = rows.length < logRowsSearched
        // Rows are in the order of the reports: those before these are of earlier ones.
        if (own.some((row) => seqOf(row) < seq)) break
      }
      if (!isWholeLog && occurredAt !== undefined && isAmong(await newestRows(board, occurredAt)))
        return { isLogged: true }
      return { isLogged: false, overtakenAt: timeAmong(own, seq) }
    },
    /**
     * Returns those of the changes that missing reports of the same boot explain, because they are logged: the last row of the
     * outlet before the report that shows the change has that state already.
     */
    async findLogged(deviceId: string, changes: readonly ActionLogDocument[]): Promise<ReadonlySet<ActionLogDocument>> {
      const userId = changes[0]?.userId ?? null
      const newest = await newestRows({ id: deviceId, userId: userId === null ? null : String(userId) })
      const isLogged = ({ report, switchIndex, state, speed }: ActionLogDocument): boolean => {
        const earlier = newest.filter(
          (row) =>
            row.switchIndex === switchIndex && row.report?.bootId === report?.bootId && seqOf(row) < seqOf({ report })
        )
        const last = earlier.toSorted((one, other) => seqOf(other) - seqOf(one))[0]
        return last?.state === state && last.speed === speed
      }
      return new Set(changes.filter(isLogged))
    },
    /** Returns the cause of a command that another instance, or this one before a restart, sent; undefined if there is none. */
    async findCause(board: OwnedBoard, commandId: string): Promise<ChangeCause | undefined> {
      // Without a cluster there is no point in waiting: what this instance sent before a restart is either stored or lost.
      for (const ms of isClustered ? lookAgainMs : [0]) {
        await wait(ms)
        const row = await commandOf(board, commandId)
        if (row !== null) return String(row.deviceId) === board.id ? row.cause : undefined
      }
      return causeInLog(board, commandId)
    },
    /** Returns when a command was sent; null if it is not stored. */
    async findSentAt(commandId: string): Promise<number | null> {
      const row = await commands.findById(commandId, { sentAt: 1 }).lean<CommandDocument>()
      return row?.sentAt.getTime() ?? null
    }
  }
}

/** Returns a time between the rows of the reports around a missing one; undefined if there is no later one. */
function timeAmong(rows: readonly LoggedRow[], seq: number): number | undefined {
  const next = rows.filter((row) => seqOf(row) > seq).toSorted((one, other) => seqOf(one) - seqOf(other))[0]
  if (next === undefined) return undefined
  const previous = rows.filter((row) => seqOf(row) < seq).map(({ createdAt }) => createdAt.getTime())
  return Math.max(...previous, timeBefore(next.createdAt.getTime(), seqOf(next) - seq))
}

const seqOf = ({ report }: Pick<ActionLogDocument, 'report'>): number => report?.seq ?? 0
