import { describe, expect, test } from 'vitest'
import { drive, serverAhead } from '../../test/drive-device.ts'

describe('a command', () => {
  test('that has expired on the server’s clock is answered expired and changes nothing', () => {
    const board = drive()
    board.connect()
    board.ack(1)
    board.command({ expiresAt: board.now() + serverAhead - 1 })
    expect(board.reports().at(-1)).toMatchObject({
      commandId: 'c1',
      result: 'expired',
      switch: [false, false, false, false],
      changed: []
    })
  })

  test('is accepted again once an acknowledgement has shown that the server’s clock was set back', () => {
    const board = drive()
    board.connect()
    for (let seq = 1; seq <= 8; seq += 1) {
      board.ack(seq)
      board.run({ kind: 'pressed', index: 1 })
    }
    const setBack = { expiresAt: board.now() + 4000 }
    board.command(setBack)
    expect(board.reports().at(-1)).toMatchObject({ result: 'expired' })
    const { bootId } = board.state()
    board.run({ kind: 'received', topic: 'ack', payload: { bootId, seq: 9, serverTime: board.now() } })
    board.command({ id: 'c2', ...setBack })
    expect(board.reports().at(-1)).toMatchObject({ commandId: 'c2', result: 'applied' })
  })

  test('is taken when it comes again after one acknowledgement, where the server’s clock was set back by a few seconds only', () => {
    const board = drive()
    board.connect()
    for (let seq = 1; seq <= 8; seq += 1) {
      board.ack(seq)
      board.run({ kind: 'pressed', index: 1 })
    }
    const serverTime = board.now() + serverAhead - 7000
    board.command({ expiresAt: serverTime + 4000 })
    expect(board.reports().at(-1)).toMatchObject({ result: 'expired' })
    const { bootId } = board.state()
    board.later(300)
    board.run({ kind: 'received', topic: 'ack', payload: { bootId, seq: 9, serverTime } })
    board.command({ expiresAt: serverTime + 4000 })
    expect(board.reports().at(-1)).toMatchObject({ commandId: 'c1', result: 'applied' })
  })

  test('is compared with the fastest acknowledgement: a slow one says less about the server’s clock', () => {
    const board = drive()
    board.connect()
    board.ack(1)
    board.run({ kind: 'pressed', index: 1 })
    const { bootId } = board.state()
    const serverTime = board.now() + serverAhead
    board.later(9000)
    board.run({ kind: 'received', topic: 'ack', payload: { bootId, seq: 2, serverTime } })
    board.command({ expiresAt: board.now() + serverAhead - 1 })
    expect(board.reports().at(-1)).toMatchObject({ result: 'expired' })
  })

  test.each([
    ['an earlier report', { seq: 2 }],
    ['a report of an earlier boot', { bootId: 'boot-0000', seq: 3 }]
  ])('is judged by the same clock after a slow acknowledgement of %s', (_what, named) => {
    const board = drive()
    board.connect()
    board.ack(1)
    board.run({ kind: 'pressed', index: 1 })
    const serverTime = board.now() + serverAhead + 1000
    board.later(5000)
    board.run({ kind: 'pressed', index: 1 })
    const { bootId } = board.state()
    board.run({ kind: 'received', topic: 'ack', payload: { bootId, serverTime, ...named } })
    board.command({ expiresAt: board.now() + serverAhead - 1 })
    expect(board.reports().at(-1)).toMatchObject({ result: 'expired' })
  })

  test('counts as fresh until the first acknowledgement has shown the time, also with a remembered clock', () => {
    const board = drive({ rememberedOffset: serverAhead })
    board.connect()
    board.command({ expiresAt: 1 })
    expect(board.reports().at(-1)).toMatchObject({
      result: 'applied',
      switch: [true, false, false, false],
      changed: [0]
    })
  })

  test('is all or nothing: one impossible setting rejects it whole', () => {
    const cases = [
      {
        set: [
          { index: 0, on: true },
          { index: 9, on: true }
        ],
        reason: 'this board has no outlet 9'
      },
      {
        set: [
          { index: 0, on: true },
          { index: 1, speed: 10 }
        ],
        reason: 'outlet 1 is a switch and has no speed'
      },
      { set: [{ index: 0, on: true }, { index: 1 }], reason: 'nothing to set at outlet 1' }
    ]
    for (const { set, reason } of cases) {
      const board = drive()
      board.connect()
      board.command({ set })
      expect(board.reports().at(-1)).toMatchObject({ result: 'rejected', reason, switch: [false, false, false, false] })
    }
  })

  test('sets a fan’s switch and speed independently', () => {
    const board = drive()
    board.connect()
    board.command({ set: [{ index: 2, speed: 200 }] })
    expect(board.states()).toEqual({ switch: [false, false, false, false], speed: [0, 0, 200, 0] })
    board.command({ id: 'c2', set: [{ index: 2, on: true, speed: 0 }] })
    expect(board.reports().at(-1)).toMatchObject({
      switch: [false, false, true, false],
      speed: [0, 0, 0, 0],
      changed: [2]
    })
  })

  test('that changes something is stored soon; one that changes nothing is not written to flash', () => {
    const board = drive()
    board.connect()
    const kept = (on: boolean, id: string) =>
      board.command({ id, set: [{ index: 0, on }] }).filter(({ kind }) => kind === 'persist')
    expect(kept(true, 'c1')).toEqual([{ kind: 'persist', urgent: false }])
    expect(kept(true, 'c2')).toEqual([])
    expect(kept(false, 'c3')).toEqual([{ kind: 'persist', urgent: false }])
  })

  test('received a second time gets the same answer and is not applied again', () => {
    const board = drive()
    board.connect()
    board.command({})
    board.run({ kind: 'pressed', index: 0 })
    board.command({})
    expect(board.reports().at(-1)).toMatchObject({
      commandId: 'c1',
      result: 'applied',
      switch: [false, false, false, false],
      changed: []
    })
  })

  test('with a wrong shape is ignored', () => {
    const board = drive()
    board.connect()
    for (const payload of [
      null,
      'on',
      {},
      { id: 'c1' },
      { id: 'c1', set: [{ index: 0, on: 'yes' }], expiresAt: 1 },
      { id: 'c1', set: [{ index: 2, speed: 256 }], expiresAt: 1 }
    ]) {
      expect(board.run({ kind: 'received', topic: 'switch-update', payload })).toMatchObject([
        { kind: 'ignored', topic: 'switch-update' }
      ])
    }
    expect(board.reports()).toHaveLength(1)
  })
})
