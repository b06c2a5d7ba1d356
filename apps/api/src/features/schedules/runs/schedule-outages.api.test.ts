import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '../../../platform/people/actor.ts'
import { setsSentTo, startSchedules } from '../../../testing/schedules-by-hand.ts'
import type { AddedDevice } from '../../../testing/test-api.ts'
import type { TestInstance } from '../../../testing/test-instance.ts'

const { app, newHome, schedule, occurrences, states, logs, runAt } = await startSchedules()
afterAll(() => app.stop())

let sita: Actor
let device: AddedDevice
beforeEach(async () => {
  ;({ sita, device } = await newHome())
})

describe('with the server down', () => {
  test('for two minutes: fired late at the start of the server', async () => {
    await schedule()
    app.broker.down()
    app.clock.set('2026-11-20T12:17:00Z')
    app.broker.up()
    device.board.connect()
    await runAt('2026-11-20T12:17:01Z')
    await expect.poll(states).toEqual(['start late'])
    expect(device.board.commands).toHaveLength(1)
  })
  test('and the board connected all the time: it is asked once, and switches as soon as it has answered', async () => {
    await schedule()
    const { schedules } = device.board
    app.clock.set('2026-11-20T12:15:00Z')
    const before = schedules.length
    // Only the server's link is new: a board that is connected sends nothing because of it.
    app.broker.up()
    await app.schedules.tick()
    app.clock.set('2026-11-20T12:15:02Z')
    await app.schedules.tick()
    expect([await states(), schedules.length - before]).toEqual([['start firing'], 1])
    device.board.report({ cause: 'config', schedulesRev: schedules.at(-1)?.rev ?? -1 })
    app.clock.set('2026-11-20T12:15:04Z')
    await app.schedules.tick()
    await expect.poll(states).toEqual(['start confirmed'])
    expect(device.board.commands).toHaveLength(1)
  })
  test('and the board away a little longer: the server waits for it', async () => {
    await schedule()
    app.broker.down()
    app.clock.set('2026-11-20T12:17:00Z')
    app.broker.up()
    await runAt('2026-11-20T12:17:01Z')
    expect(await states()).toEqual(['start firing'])
    expect(device.board.commands).toEqual([])
    app.clock.set('2026-11-20T12:17:20Z')
    device.board.connect()
    await runAt('2026-11-20T12:17:21Z')
    await expect.poll(states).toEqual(['start late'])
    expect(device.board.commands).toHaveLength(1)
  })
  test('for two hours: missed; the end, which is still to come, is fired', async () => {
    await schedule({ endTime: '21:00' })
    app.broker.down()
    app.clock.set('2026-11-20T14:15:00Z')
    app.broker.up()
    device.board.connect()
    await runAt('2026-11-20T14:15:01Z')
    expect(await states()).toEqual(['start missed'])
    expect(await logs()).toEqual([expect.stringContaining('the server was down')])
    await runAt('2026-11-20T15:15:00Z')
    await expect.poll(states).toEqual(['start missed', 'end confirmed'])
  })
  test('for three days: every occurrence of a daily schedule is recorded', async () => {
    await schedule({ repeatType: 'daily' })
    await runAt('2026-11-23T12:00:00Z')
    expect(await states()).toEqual([
      'start missed',
      'end missed',
      'start missed',
      'end missed',
      'start missed',
      'end missed'
    ])
    // How many share a sentence depends on which were stored together.
    const told = app.notices.map(({ text }) => 1 + Number(/, and (\d+) more/.exec(text)?.[1] ?? 0))
    expect(told.reduce((sum, count) => sum + count, 0)).toBe(6)
  })
  test('with only the broker down: it fires as soon as there is a connection', async () => {
    await schedule()
    app.broker.down()
    await runAt('2026-11-20T12:15:00Z')
    expect(await states()).toEqual(['start firing'])
    app.clock.set('2026-11-20T12:15:10Z')
    app.broker.up()
    device.board.connect()
    await runAt('2026-11-20T12:15:12Z')
    await expect.poll(states).toEqual(['start confirmed'])
    expect(device.board.commands).toHaveLength(1)
  })
})

describe('two api instances on one database', () => {
  const boards = 6
  const perBoard = 4

  async function manySchedules(): Promise<AddedDevice[]> {
    const all: AddedDevice[] = []
    for (let index = 0; index < boards; index += 1) all.push(await app.device(sita))
    for (const each of all) {
      for (const [index, switchId] of each.switchIds.entries()) {
        await schedule({ switchId, switchIndex: index, repeatType: 'daily' }, each)
      }
    }
    return all
  }
  const commands = (all: readonly AddedDevice[]): number[] =>
    all.flatMap(({ board }) =>
      [0, 1, 2, 3].map((index) => board.commands.filter(({ set }) => set[0]?.index === index).length)
    )
  const once = Array.from({ length: boards * perBoard }, () => 1)
  /** An instance that was suspended has sent a command without an answer; another, which is returned, has sent it again. */
  async function takenOver(): Promise<TestInstance> {
    await schedule()
    const second = await app.another()
    device.board.report({ cause: 'resync' })
    device.board.isMute = true
    await runAt('2026-11-20T12:15:00Z')
    app.clock.advance(9500)
    await second.schedules.tick()
    return second
  }

  test('fire each occurrence once, whichever checks first', async () => {
    const all = await manySchedules()
    const second = await app.another()
    // It has received messages of the boards too.
    for (const { board } of all) board.report({ cause: 'resync' })
    app.clock.set('2026-11-20T12:15:00Z')
    await Promise.all([app.schedules.tick(), second.schedules.tick(), app.schedules.tick()])
    await second.settled()
    await expect.poll(async () => new Set(await states())).toEqual(new Set(['start confirmed']))
    expect(await occurrences()).toHaveLength(boards * perBoard)
    expect(commands(all)).toEqual(once)
    await expect.poll(async () => (await logs()).length).toBe(boards * perBoard)
  })

  test('when one crashes before it stores the results, and everything was switched back by hand, nothing is sent again', async () => {
    const on = { index: 1, on: true }
    const all = [device, await app.device(sita), await app.device(sita)]
    for (const each of all) await schedule({ switchId: each.switchIds[1] }, each)
    await runAt('2026-11-20T12:15:00Z')
    await expect.poll(states).toEqual(['start confirmed', 'start confirmed', 'start confirmed'])
    for (const { board } of all) {
      board.state = [false, false, false, false]
      board.report({ cause: 'button' })
    }
    await app.settled()
    await app.connection
      .collection('scheduleOccurrences')
      .updateMany({}, { $set: { state: 'firing', leaseUntil: new Date('2026-11-20T12:15:09Z') } })
    await runAt('2026-11-20T12:15:10Z')
    expect(await states()).toEqual(['start confirmed', 'start confirmed', 'start confirmed'])
    expect(all.map(setsSentTo)).toEqual([[[on]], [[on]], [[on]]])
  })

  test('when one that was suspended finds its command unanswered, that of the other still counts', async () => {
    const second = await takenOver()
    app.link.sweep()
    await app.settled()
    expect(await states()).toEqual(['start firing'])
    const commandId = device.board.commands[1]?.id ?? ''
    device.board.state = [false, true, false, false]
    device.board.report({ cause: 'command', commandId, result: 'applied', changed: [1] })
    await second.settled()
    await expect.poll(states).toEqual(['start confirmed'])
    await expect.poll(logs).toEqual(['change schedule: Switch 2 turned ON'])
    expect(app.notices).toEqual([])
  })

  test('when one that was suspended gets a refusal for the time, it leaves the other its claim', async () => {
    await takenOver()
    const [first, again] = device.board.commands
    device.board.report({ cause: 'command', commandId: first?.id ?? '', result: 'expired', changed: [] })
    await app.settled()
    await app.schedules.tick()
    app.clock.advance(2000)
    await app.schedules.tick()
    expect(device.board.commands).toEqual([first, again])
  })

  test.each([0, 1, 7, 23])(
    'when one is killed after it has sent %i of 24 commands, the other completes them within 10 s, once each',
    async (sent) => {
      const all = await manySchedules()
      const doomed: TestInstance = await app.another()
      for (const { board } of all) board.report({ cause: 'resync' })
      app.clock.set('2026-11-20T12:15:00Z')
      const killed = doomed.killAfter(sent)
      await Promise.all([killed, doomed.schedules.tick()])
      expect(all.flatMap(({ board }) => board.commands)).toHaveLength(sent)
      // By the answers of the boards.
      await expect.poll(async () => (await states()).filter((each) => each === 'start confirmed')).toHaveLength(sent)

      await app.schedules.tick()
      app.clock.advance(9500)
      app.broker.heartbeat()
      await app.schedules.tick()
      await expect.poll(async () => new Set(await states())).toEqual(new Set(['start confirmed']))
      expect(await occurrences()).toHaveLength(boards * perBoard)
      expect(commands(all)).toEqual(once)
      expect(all.every(({ board }) => board.state.every(Boolean))).toBe(true)
    }
  )

  test('when one is killed while a board answers, the other knows whose command it was, and does not send it again', async () => {
    await schedule()
    await schedule({ switchId: device.switchIds[2], switchIndex: 2 })
    const doomed = await app.another()
    device.board.report({ cause: 'resync' })
    device.board.isMute = true
    app.clock.set('2026-11-20T12:15:00Z')
    await Promise.all([doomed.killAfter(1), doomed.schedules.tick()])
    const [sent] = device.board.commands
    const index = sent?.set[0]?.index ?? -1
    device.board.state = device.board.state.map((_, each) => each === index)
    device.board.report({ cause: 'command', commandId: sent?.id, result: 'applied', changed: [index] })
    await expect.poll(logs).toEqual([`change schedule: Switch ${index + 1} turned ON`])

    device.board.isMute = false
    device.board.state = [false, false, false, false]
    device.board.report({ cause: 'button', changed: [index] })
    await app.settled()
    app.clock.advance(9500)
    await app.schedules.tick()
    await expect.poll(states).toEqual(['start confirmed', 'start confirmed'])
    expect(setsSentTo(device)).toEqual([[{ index, on: true }], [{ index: 3 - index, on: true }]])
  })
})
