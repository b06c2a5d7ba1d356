import { expect } from 'vitest'
import type { OccurrenceDocument } from '../features/schedules/runs/occurrence.model.ts'
import type { Actor } from '../platform/people/actor.ts'
import { eveningSchedule } from './evening-schedule.ts'
import { startApi, type AddedDevice } from './test-api.ts'

/** Friday 17:59 in Kathmandu. */
const start = '2026-11-20T12:14:00Z'

/** An api on a clock that the test moves, which runs what is due when the test says so. */
export async function startSchedules() {
  const app = await startApi({ at: start, isShared: true })
  let sita: Actor
  let device: AddedDevice

  /** As if the server had been running since then. */
  function startAt(iso: string): void {
    app.broker.down()
    app.clock.set(iso)
    app.broker.up()
  }
  /** Begins again at the start, with a new home and no schedules. */
  async function newHome(): Promise<{ sita: Actor; device: AddedDevice }> {
    startAt(start)
    await app.connection.collection('schedules').deleteMany({})
    await app.connection.collection('scheduleOccurrences').deleteMany({})
    app.notices.length = 0
    sita = app.person()
    device = await app.device(sita)
    return { sita, device }
  }
  async function schedule(fields: Record<string, unknown> = {}, on = device): Promise<string> {
    const made = await app.call('POST', '/schedules', sita, {
      ...eveningSchedule(on, 1),
      ...fields
    })
    expect(made.message).toBe('Schedule created successfully!')
    return made.data._id
  }
  async function occurrences(): Promise<OccurrenceDocument[]> {
    await app.settled()
    return app.connection
      .collection<OccurrenceDocument>('scheduleOccurrences')
      .find({})
      .sort({ dueAt: 1, _id: 1 })
      .toArray()
  }

  return {
    app,
    startAt,
    newHome,
    schedule,
    occurrences,
    states: async (): Promise<string[]> => (await occurrences()).map(({ phase, state }) => `${phase} ${state}`),
    async logs(): Promise<string[]> {
      await app.settled()
      const { data } = await app.call('GET', '/switch-action-logs', sita)
      return data.logs.map(({ kind, from, description }: Record<string, string>) => `${kind} ${from}: ${description}`)
    },
    /** Moves the clock there, runs what is due, and waits until the results are stored. */
    async runAt(iso: string): Promise<void> {
      app.clock.set(iso)
      app.broker.heartbeat()
      await app.schedules.tick()
      await app.settled()
    },
    find: async (id: string) =>
      (await app.call('GET', '/schedules', sita)).data.schedules.find(({ _id }: { _id: string }) => _id === id)
  }
}

/** The settings of all commands that a board received, in order. */
export const setsSentTo = (each: AddedDevice): unknown[] => each.board.commands.map(({ set }) => set)
