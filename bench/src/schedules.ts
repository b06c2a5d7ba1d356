/** `node bench/src/schedules.ts [COUNT]`: measures schedules that are due in the same minute, on the embedded database. */
import { performance } from 'node:perf_hooks'
import { Types } from 'mongoose'
import { startApi, type TestApi } from '../../apps/api/src/testing/test-api.ts'
import type { MemoryBoard } from '../../apps/api/src/testing/memory-board.ts'
import { until } from '@batti/kit/testing'
import { eveningSchedule } from './fill/evening-schedule.ts'
import { macOf } from './fill/mac-of.ts'
import type { Report } from './figures/report.ts'

export interface SchedulesOptions {
  count: number
  say(line: string): void
}

const goalS = 2
const before = '2026-11-20T12:14:00Z'
const due = new Date('2026-11-20T12:15:00Z')
const atOnce = 200
const chunk = 2000

/**
 * Ten thousand homes have one schedule each, all due at 18:00. Measures the time until the last command was sent, and until
 * every occurrence is stored as confirmed. Api and database are two processes. Broker and boards are test doubles in the
 * api's process, so handling the boards' answers is part of the measured time.
 */
export async function measureSchedules({ count, say }: SchedulesOptions): Promise<Report> {
  const app = await startApi({ at: before, isShared: true })
  try {
    say(`${count} boards with a schedule each`)
    const boards = await fill(app, count)
    const fired = () => boards.reduce((sum, { commands }) => sum + commands.length, 0)
    say('18:00')
    app.clock.set(due.toISOString())
    app.broker.heartbeat()
    const cpu = process.cpuUsage()
    const start = performance.now()
    let lastSentMs = 0
    let cpuMs = 0
    const note = (): void => {
      if (lastSentMs > 0 || fired() < count) return
      const { user, system } = process.cpuUsage(cpu)
      lastSentMs = performance.now() - start
      cpuMs = (user + system) / 1000
    }
    const watch = setInterval(note, 5)
    await app.schedules.tick()
    note()
    clearInterval(watch)
    const advancedMs = performance.now() - start
    const occurrences = app.connection.collection('scheduleOccurrences')
    let confirmed = 0
    while (confirmed < count && performance.now() - start < 60_000) {
      await app.settled()
      confirmed = await occurrences.countDocuments({ state: 'confirmed' })
    }
    const storedMs = performance.now() - start
    const twice = boards.filter(({ commands }) => commands.length !== 1).length
    return {
      name: 'schedules',
      about: `${count} schedules due in the same minute, one api instance, embedded database.`,
      against: 'goal',
      rows: [
        {
          what: 'until the last command is sent',
          unit: 's',
          ours: lastSentMs / 1000,
          against: goalS,
          goal: { ratio: 1, is: 'atMost' }
        },
        { what: 'CPU of the api for that', unit: 's', ours: cpuMs / 1000, against: null, goal: null },
        { what: 'until every plan has moved on', unit: 's', ours: advancedMs / 1000, against: null, goal: null },
        { what: 'until all are stored as confirmed', unit: 's', ours: storedMs / 1000, against: null, goal: null },
        { what: 'boards not fired exactly once', unit: '', ours: twice, against: null, goal: null },
        { what: 'occurrences confirmed', unit: '', ours: confirmed, against: count, goal: { ratio: 1, is: 'atLeast' } }
      ]
    }
  } finally {
    await app.stop()
  }
}

async function fill(app: TestApi, count: number): Promise<MemoryBoard[]> {
  const now = new Date(before)
  const boards: MemoryBoard[] = []
  for (let from = 0; from < count; from += chunk) {
    const ids = Array.from({ length: Math.min(chunk, count - from) }, () => new Types.ObjectId())
    const owner = new Types.ObjectId()
    await app.models.devices.insertMany(
      ids.map((_id, index) => ({
        _id,
        deviceMac: macOf(from + index),
        deviceCode: 'BT4',
        deviceName: 'Wall 4',
        hwModel: 'batti-wall-4',
        userId: owner,
        switch: [false, false, false, false],
        speed: [0, 0, 0, 0],
        timezone: 'Asia/Kathmandu'
      }))
    )
    const switches = ids.flatMap((deviceId) =>
      [0, 1, 2, 3].map((switchIndex) => ({
        _id: new Types.ObjectId(),
        deviceId,
        switchIndex,
        switchName: `Switch ${switchIndex + 1}`,
        isFavorite: false
      }))
    )
    await app.models.switches.insertMany(switches)
    await app.connection.collection('schedules').insertMany(
      ids.map((deviceId, index) => ({
        userId: owner,
        deviceId,
        switchId: switches[index * 4]?._id,
        switchIndex: 0,
        label: 'Evening',
        ...eveningSchedule,
        next: { phase: 'start', date: '2026-11-20', runDate: '2026-11-20', at: due, isShifted: false },
        nextRunAt: due,
        createdAt: now,
        updatedAt: now
      }))
    )
    for (const id of ids) boards.push(app.broker.addBoard(id.toHexString(), 4))
  }
  // A few at a time, because these boards do not repeat their first report.
  for (let from = 0; from < count; from += atOnce) {
    const some = boards.slice(from, from + atOnce)
    for (const board of some) board.connect()
    await until('they are there', () => some.every(({ acks }) => acks.length > 0))
  }
  await app.settled()
  return boards
}
