import { afterEach, describe, expect, test, vi } from 'vitest'
import { startHouseServer, type HouseServer } from '../test/house-server.ts'
import { createBoard, type Board, type BoardOptions } from './board.ts'

const patience = { timeout: 20_000, interval: 10 }
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const thing of open.splice(0).toReversed()) await thing.close()
})

async function house(): Promise<HouseServer> {
  const server = await startHouseServer()
  open.push(server)
  return server
}

async function pairedBoard(server: HouseServer, options: Partial<BoardOptions> = {}): Promise<Board> {
  const board = createBoard({ model: 'BTF', mac: '34-98-7a-0c-51-e2', ...options })
  open.push(board)
  await board.restorePower()
  await vi.waitFor(() => expect(board.state().phase).toBe('setup'), patience)
  expect(board.configure(server.form())).toBe(true)
  await board.whenOnline()
  await vi.waitFor(() => expect(board.state().unacknowledged).toBe(0), patience)
  return board
}

describe('a board in a house', () => {
  test('introduces itself with its model and pairing code, then sends status and its boot report', async () => {
    const server = await house()
    const board = await pairedBoard(server)
    expect(server.auths).toEqual([
      expect.objectContaining({
        userId: '64f000000000000000000001.CODE',
        deviceMac: '34:98:7A:0C:51:E2',
        deviceCode: 'BTF',
        hwModel: 'batti-wall-fan'
      })
    ])
    expect(server.auths[0]).not.toHaveProperty('deviceToken')
    expect(server.published.map(({ topic }) => topic).slice(0, 2)).toEqual(['status', 'update-from-device'])
    expect(server.statuses()[0]).toMatchObject({ online: true, conn: 1, bootId: board.state().bootId })
    expect(server.reports()[0]).toMatchObject({
      cause: 'boot',
      seq: 1,
      switch: [false, false, false, false],
      osVersion: board.state().osVersion
    })
  })

  test('applies a command and answers with its id', async () => {
    const server = await house()
    const board = await pairedBoard(server)
    const deviceId = board.state().deviceId ?? ''
    server.send(deviceId, 'switch-update', {
      id: 'c1',
      set: [{ index: 2, on: true, speed: 140 }],
      expiresAt: Date.now() + 4000
    })
    await vi.waitFor(
      () => expect(server.reports().at(-1)).toMatchObject({ commandId: 'c1', result: 'applied', changed: [2] }),
      patience
    )
    expect(board.state().switch).toEqual([false, false, true, false])
    expect(board.state().speed[2]).toBe(140)
  })

  test('is held offline by its last will when its power is cut, and comes back as it was with a new boot', async () => {
    const server = await house()
    const board = await pairedBoard(server)
    const { bootId } = board.state()
    board.cutPower()
    await vi.waitFor(() => expect(server.statuses().at(-1)).toEqual({ online: false, bootId, conn: 1 }), patience)
    expect(board.state()).toMatchObject({ powered: false, phase: 'off' })
    await board.restorePower()
    await board.whenOnline()
    expect(board.state().bootId).not.toBe(bootId)
    expect(server.auths).toHaveLength(1)
  })
})
