import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { Types } from 'mongoose'
import type { Actor } from '../../platform/people/actor.ts'
import { inBatches } from '../../platform/store/batches/in-batches.ts'
import type { ActionLogDocument } from '../../boards/reports/action-log.model.ts'
import { startApi, type TestApi } from '../../testing/test-api.ts'
import { createActionLogsRepository } from './action-logs.repository.ts'

let app: TestApi
let hari: Actor
beforeAll(async () => {
  app = await startApi({ at: '2026-11-20T06:00:00Z', hearsQueries: true })
  hari = app.person()
  const rows = Array.from({ length: 12_000 }, (_, index) => ({
    _id: new Types.ObjectId(),
    kind: 'change',
    userId: new Types.ObjectId(hari.userId),
    description: `Bulb ${index} turned ON`,
    userName: '',
    from: index % 5000 === 0 ? 'monitor' : 'board',
    createdAt: new Date(Date.parse('2026-11-01T00:00:00Z') + Math.floor(index / 2) * 1000)
  }))
  for (const batch of inBatches(rows)) await app.connection.collection('switchActionLogs').insertMany(batch)
})
afterAll(() => app.stop())

interface Found {
  description: string
}
const list = async (query: string) => (await app.call('GET', `/switch-action-logs${query}`, hari)).data

test('a long log is filtered, searched, sorted and exported by origin', async () => {
  const described = async (query: string) => {
    const { logs, total } = await list(query)
    return [logs.map(({ description }: Found) => description.replace(/\D/g, '')), total]
  }
  expect(await described('?from=monitor')).toEqual([['10000', '5000', '0'], 3])
  expect(await described('?from=monitor&sort=createdAt&limit=2')).toEqual([['0', '5000'], 3])
  expect(await described('?from=monitor&limit=2&page=2')).toEqual([['0'], 3])
  expect(await described('?from=monitor&sort=description')).toEqual([['0', '10000', '5000'], 3])
  expect(await described('?from=monitor&search=bulb%205')).toEqual([['5000'], 1])
  expect(await described('?from=board&search=bulb%207&limit=1')).toEqual([['7999'], 1000])
  const common = await list('?from=board&limit=1&page=11000')
  expect(common).toMatchObject({ total: 10_000, isTotalCapped: true, logs: [{ description: 'Bulb 998 turned ON' }] })
  // A page that begins in one window and ends in the next.
  const [across] = await described('?from=board&limit=30&page=334')
  expect(across).toEqual(Array.from({ length: 30 }, (_, row) => String(2007 - row)))
  for (const [query, count] of [
    ['?from=monitor', 3],
    ['?from=board', 11_997],
    ['', 12_000],
    ['?sort=createdAt', 12_000]
  ] as const) {
    const { text } = await app.http
      .get(`/api/v1/switch-action-logs${query}`)
      .set({ authorization: `Bearer ${await app.tokenOf(hari)}`, accept: 'text/csv' })
    const ids = text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0])
    expect([ids.length, new Set(ids).size]).toEqual([count, count])
  }
})

/** Runs calls, and returns what they ask of the log for a filter or a chart, and how much of it at a time. */
async function longReadsOf(calls: () => Promise<unknown>) {
  const asked: string[] = []
  const open = new Set<number>()
  let most = 0
  const began = ({ command, requestId }: { command: Record<string, unknown>; requestId: number }): void => {
    const text = JSON.stringify(command)
    if (!text.includes('switchActionLogs') || !/"from":"monitor"|pipeline/.test(text)) return
    asked.push(text)
    open.add(requestId)
    most = Math.max(most, open.size)
  }
  const ended = ({ requestId }: { requestId: number }): void => void open.delete(requestId)
  const client = app.connection.getClient().on('commandStarted', began).on('commandSucceeded', ended)
  await calls()
  client.off('commandStarted', began).off('commandSucceeded', ended)
  return { asked, most }
}

test('a filter reads a limited number of rows with each query', async () => {
  const { asked } = await longReadsOf(() => list('?from=monitor'))
  // A count and a read in each of two windows.
  expect(asked).toHaveLength(4)
  for (const query of asked) expect(query).toContain('createdAt":{')
})

test('a chart reads a limited number of rows with each query, and each row once', async () => {
  const switchId = new Types.ObjectId()
  const userId = new Types.ObjectId()
  // Three rows a second: those of one second are in two queries.
  const changes = Array.from({ length: 12_000 }, (_, index) => ({
    state: index % 2 === 0,
    at: Date.parse('2026-11-01T00:00:00Z') + Math.floor(index / 3) * 1000
  }))
  const rows = changes.map(({ state, at }) => ({ kind: 'change', userId, switchId, state, createdAt: new Date(at) }))
  const log = app.connection.collection('switchActionLogs')
  for (const batch of inBatches(rows)) await log.insertMany(batch)
  onTestFinished(async () => void (await log.deleteMany({ userId })))
  const { changesSince } = createActionLogsRepository(app.connection.model<ActionLogDocument>('ActionLog'))
  let read: Awaited<ReturnType<typeof changesSince>> = new Map()
  const { asked } = await longReadsOf(async () => {
    read = await changesSince({ userId: String(userId) }, new Date('2026-11-01T00:00:00Z'))
  })
  expect(asked).toHaveLength(2)
  const found = read.get(String(switchId)) ?? []
  expect(found.map(({ at }) => at)).toEqual(changes.map(({ at }) => at))
  expect(found.filter(({ state }) => state)).toHaveLength(6000)
})

test('an account makes one long read at a time', async () => {
  const chart = () => app.call('GET', '/switch-on-times?days=31', hari)
  const { most } = await longReadsOf(() =>
    Promise.all([list('?from=monitor'), list('?from=monitor&sort=description'), chart(), chart()])
  )
  expect(most).toBe(1)
})
