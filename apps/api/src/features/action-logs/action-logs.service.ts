import type { ActionLogRecord, ChangeSource, PageQuery } from '@batti/contracts'
import { isStaff, refuseOthers, type Actor } from '../../platform/people/actor.ts'
import { notFound } from '../../platform/app-error.ts'
import { pageInfo, pageOf } from '../../platform/paging.ts'
import type { FairShare } from '../../platform/http/limits/fair-share.ts'
import { isLongRead } from './action-log-pages.ts'
import type { PlaceInTime } from './in-order-of-time.ts'
import { mayDeleteLog, maySeePhoneOf } from './action-logs.policy.ts'
import { presentActionLog } from './action-logs.present.ts'
import type { ActionLogsRepository } from './action-logs.repository.ts'
import type { Clearings } from './clearings.ts'

export interface ActionLogsOptions {
  actionLogs: ActionLogsRepository
  clearings: Clearings
  /** Takes turns, by account, of reads that are long in a long log. */
  longReads: FairShare
  findPeople(ids: readonly string[]): Promise<Map<string, { phone?: string | null }>>
  /** Resolves when the reports received so far are in the log. */
  whenStored(): Promise<unknown>
  /** Anonymizes somebody's commands that boards have not reported on yet. */
  forgetUnreported(userId: string): void
  /** Anonymizes somebody's stored commands. */
  forgetCommands(userId: string): Promise<void>
  /** Returns the board of a switch; null if the switch no longer exists. */
  deviceIdOfSwitch(switchId: string): Promise<string | null>
  /** Returns the ids of people whose name or phone contains the text, for the search by staff. */
  searchPeople(text: string): Promise<string[] | null>
}

type ListQuery = PageQuery & {
  userId?: string | undefined
  switchId?: string | undefined
  deviceId?: string | undefined
  from?: ChangeSource | undefined
  since?: string | undefined
  until?: string | undefined
  /** Set by a table of the whole list (`csv.ts`). */
  after?: { _id: string; createdAt: string } | null | undefined
}

const dateOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text))

const placeOf = (row: ListQuery['after']): PlaceInTime | null | undefined =>
  row && { id: row._id, createdAt: new Date(row.createdAt) }

/** The rules of the action log: who reads it, and who clears it. */
export function createActionLogsService(options: ActionLogsOptions) {
  const {
    actionLogs,
    clearings,
    longReads,
    findPeople,
    searchPeople,
    deviceIdOfSwitch,
    whenStored,
    forgetUnreported,
    forgetCommands
  } = options

  async function peopleMatching(actor: Actor, search: string | undefined): Promise<string[]> {
    const text = search?.trim() ?? ''
    return isStaff(actor) && text !== '' ? ((await searchPeople(text)) ?? []) : []
  }

  /** Records what is to be deleted. Call the returned function once the record is stored: it deletes the rows. */
  async function begin(whose: string): Promise<() => Promise<{ deleted: number }>> {
    const before = await actionLogs.newestOf(whose)
    if (before === null) return () => Promise.resolve({ deleted: 0 })
    const clearing = { _id: whose, before }
    await clearings.note(clearing)
    return async () => ({ deleted: await clearings.run(clearing) })
  }

  return {
    /** GET /switch-action-logs: a user's own rows, or all for staff, both filtered. @throws NOT_FOUND for somebody else's. */
    async list(actor: Actor, query: ListQuery, isWanted: () => boolean = () => true) {
      refuseOthers(actor, query.userId)
      await whenStored()
      const page = pageOf(query)
      const { switchId, from, search } = query
      // A switch's rows are found among those of its board.
      const boardOfSwitch = switchId === undefined ? undefined : ((await deviceIdOfSwitch(switchId)) ?? undefined)
      const deviceId = query.deviceId ?? boardOfSwitch
      const filter = { switchId, deviceId, from, search, since: dateOf(query.since), until: dateOf(query.until) }
      const orByPeople = await peopleMatching(actor, search)
      const own = isStaff(actor)
        ? query.userId === undefined
          ? {}
          : { userId: query.userId }
        : { userId: actor.userId }
      const after = await clearings.hiddenUntil(own.userId)
      const asked = { ...filter, ...own, after, orByPeople }
      const read = () => actionLogs.list(asked, query.sort, page, { after: placeOf(query.after), isWanted })
      const { rows, total } = await (isLongRead(filter, query.sort) ? longReads(actor.userId, read) : read())

      const causedBy = rows.map(({ cause }) => cause?.userId).filter((id) => id !== undefined)
      const readable = [...new Set(causedBy)].filter((id) => maySeePhoneOf(actor, id))
      const people = readable.length === 0 ? new Map<string, never>() : await findPeople(readable)
      const logs: ActionLogRecord[] = rows.map((row) =>
        presentActionLog(row, people.get(row.cause?.userId ?? '')?.phone ?? null)
      )
      return { logs, ...pageInfo(page, total) }
    },

    /** DELETE /switch-action-logs/{id}. @throws NOT_FOUND for a row that is not the caller's. */
    async remove(actor: Actor, id: string): Promise<void> {
      const row = await actionLogs.findById(id)
      if (row === null || !mayDeleteLog(actor, row)) throw notFound('Log')
      if (!(await actionLogs.delete(id))) throw notFound('Log')
    },

    /** Whether there are rows to clear: of one account, or of `all`. */
    async hasRows(whose: string): Promise<boolean> {
      await whenStored()
      return (await actionLogs.newestOf(whose)) !== null
    },

    /** DELETE /switch-action-logs: clears the caller's own rows. */
    async clearMine(actor: Actor): Promise<() => Promise<{ deleted: number }>> {
      await whenStored()
      return begin(actor.userId)
    },

    /** POST /switch-action-logs: clears all rows; the audit log keeps who did it. */
    async clearAll(): Promise<() => Promise<{ deleted: number }>> {
      await whenStored()
      return begin('all')
    },

    /** Erases a deleted account: removes its own rows and anonymizes it in others'. */
    async eraseOfUser(userId: string): Promise<void> {
      forgetUnreported(userId)
      await whenStored()
      await forgetCommands(userId)
      await actionLogs.deleteOfUser(userId)
      await actionLogs.forgetPerson(userId)
    }
  }
}
export type ActionLogsService = ReturnType<typeof createActionLogsService>
