import { setTimeout as wait } from 'node:timers/promises'
import type { ChangeCause, DeviceReport } from '@batti/contracts'
import { Types, type Model } from 'mongoose'
import type { CommandDocument } from '../commands/command.model.ts'
import { causeOfRow, type ActionLogDocument } from './action-log.model.ts'

/** Delays between lookups of a command of another instance, which is stored shortly after it was sent. 1.3 s in total. */
const lookAgainMs = [0, 10, 20, 40, 80, 160, 320, 640]

/** A board repeats a report until it is acknowledged, so its row is among the newest. */
const logRowsSearched = 100

/** Looks up what was stored of a board's reports and commands. */
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
  /** Finds the cause of a report that was stored before a restart but not acknowledged, and is therefore repeated. */
  async function causeInLog(deviceId: string, commandId: string): Promise<ChangeCause | undefined> {
    const newest = await actionLogs
      .find({ deviceId }, { commandId: 1, cause: 1, from: 1, userName: 1 })
      .sort({ createdAt: -1 })
      .limit(logRowsSearched)
      .lean<Pick<ActionLogDocument, 'commandId' | 'cause' | 'from' | 'userName'>[]>()
    const row = newest.find((each) => each.commandId === commandId)
    return row === undefined ? undefined : (causeOfRow(row) ?? undefined)
  }

  return {
    /** Returns whether a report is in the log: a repeated one is among its board's newest rows, or near its own `occurredAt`. */
    async isLogged(deviceId: string, { bootId, seq, occurredAt }: DeviceReport): Promise<boolean> {
      const board = { deviceId: new Types.ObjectId(deviceId) }
      const newest = { createdAt: -1 } as const
      const look = (condition: object) =>
        actionLogs
          .find(condition, { report: 1 })
          .sort(newest)
          .limit(logRowsSearched)
          .lean<Pick<ActionLogDocument, 'report'>[]>()
      const dated = occurredAt === undefined ? [] : [look({ ...board, createdAt: { $lte: new Date(occurredAt) } })]
      const rows = (await Promise.all([look(board), ...dated])).flat()
      return rows.some(({ report }) => report?.bootId === bootId && report.seq === seq)
    },
    /**
     * Returns those of the changes that missing reports of the same boot explain, because they are logged: the last row of the
     * outlet before the report that shows the change has that state already.
     */
    async findLogged(deviceId: string, changes: readonly ActionLogDocument[]): Promise<ReadonlySet<ActionLogDocument>> {
      const newest = await actionLogs
        .find({ deviceId }, { report: 1, switchIndex: 1, state: 1, speed: 1 })
        .sort({ createdAt: -1 })
        .limit(logRowsSearched)
        .lean<Pick<ActionLogDocument, 'report' | 'switchIndex' | 'state' | 'speed'>[]>()
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
    async findCause(deviceId: string, commandId: string): Promise<ChangeCause | undefined> {
      // Without a cluster there is no point in waiting: what this instance sent before a restart is either stored or lost.
      for (const ms of isClustered ? lookAgainMs : [0]) {
        await wait(ms)
        const row = await commands.findById(commandId, { deviceId: 1, cause: 1 }).lean<CommandDocument>()
        if (row !== null) return String(row.deviceId) === deviceId ? row.cause : undefined
      }
      return causeInLog(deviceId, commandId)
    },
    /** Returns when a command was sent; null if it is not stored. */
    async findSentAt(commandId: string): Promise<number | null> {
      const row = await commands.findById(commandId, { sentAt: 1 }).lean<CommandDocument>()
      return row?.sentAt.getTime() ?? null
    }
  }
}

const seqOf = ({ report }: Pick<ActionLogDocument, 'report'>): number => report?.seq ?? 0
