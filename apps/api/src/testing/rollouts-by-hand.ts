import { randomBytes } from 'node:crypto'
import type { RolloutRecord } from '@batti/contracts'
import { minuteMs } from '@batti/kit/durations'
import { expect } from 'vitest'
import { startApi, type AddedDevice } from './test-api.ts'

/** For rules that need hours: an api on a clock that the test moves, whose rollouts make a pass when the test says so. */
export async function startRollouts() {
  const app = await startApi({ at: '2026-11-20T06:00:00Z', env: { LIMIT_DEVICES: '0' } })
  const admin = app.person('admin')
  let images = 0

  async function image(version = `2.0.${(images += 1)}`): Promise<{ fileName: string; version: string }> {
    const fileName = `wall-${version}.bin`
    const form = new FormData()
    form.append('firmware', new Blob([new Uint8Array(randomBytes(1000))]), fileName)
    const answer = await app.call('POST', '/device-firmware-files', admin, form)
    expect(answer.statusCode, answer.message).toBe(201)
    return { fileName, version }
  }

  async function boardsOf(count: number, owner = app.person()): Promise<AddedDevice[]> {
    const made = await Promise.all(Array.from({ length: count }, () => app.device(owner)))
    await runs(made, '1.0.0')
    return made
  }
  /** The versions that the boards report, as soon as they are stored. */
  async function runs(boards: AddedDevice[], osVersion: string): Promise<void> {
    for (const { board } of boards) board.report({ cause: 'resync', osVersion })
    await app.settled()
  }
  /** Time passes, and every online board continues to report. */
  async function pass(ms: number): Promise<void> {
    app.clock.advance(ms)
    app.broker.heartbeat()
    await app.settled()
  }
  /** Runs a pass of the engine, and another one when its results are stored. */
  async function look(): Promise<void> {
    await app.rollouts.tick()
    await pass(2000)
    await app.rollouts.tick()
  }
  async function start(body: object): Promise<string> {
    const made = await app.call('POST', '/rollouts', admin, body)
    expect(made.statusCode, made.message).toBe(201)
    await look()
    return made.data._id
  }
  /** All boards that were sent the update run it, and are proved. */
  async function prove(boards: AddedDevice[], version: string): Promise<void> {
    await runs(
      boards.filter(({ board }) => board.updates.length > 0),
      version
    )
    await look()
    await pass(3 * minuteMs)
    await look()
  }

  return {
    app,
    admin,
    image,
    boardsOf,
    runs,
    pass,
    look,
    start,
    prove,
    rollout: async (id: string) => (await app.call('GET', `/rollouts/${id}`, admin)).data as RolloutRecord,
    end: (id: string) => app.call('PATCH', `/rollouts/${id}`, admin, { state: 'cancelled' })
  }
}

/** The only stage of a rollout to all of its boards. */
export const all = [{ percent: 100 }]

export const idsOf = (boards: AddedDevice[]): string[] => boards.map(({ id }) => id)
export const sentTo = (boards: AddedDevice[]): boolean[] => boards.map(({ board }) => board.updates.length > 0)
