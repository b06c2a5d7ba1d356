import { expect, it } from 'vitest'
import { createSendCounts } from './send-counts.ts'

interface Board {
  id: string
  bootId: string
}

it('a board that never confirms gets a revision three times a boot; a new revision or boot starts over', () => {
  const sendCounts = createSendCounts()
  const ask = (bootId: string, rev: number, confirmed = 0) =>
    sendCounts.maySend({ id: 'a', bootId }, 'config', rev, confirmed)
  expect([ask('boot-1', 1), ask('boot-1', 1), ask('boot-1', 1), ask('boot-1', 1)]).toEqual([true, true, true, false])
  expect(ask('boot-1', 2)).toBe(true)
  expect([ask('boot-2', 2), ask('boot-2', 2), ask('boot-2', 2), ask('boot-2', 2)]).toEqual([true, true, true, false])
  expect(ask('boot-3', 2)).toBe(true)
  expect(ask('boot-3', 2, 2)).toBe(false)
})

it('a board that is added again starts over, and no other board does', () => {
  const sendCounts = createSendCounts()
  const [a, b] = ['a', 'b'].map((id) => ({ id, bootId: 'boot-1' })) as [Board, Board]
  const askOften = (board: Board) => Array.from({ length: 4 }, () => sendCounts.maySend(board, 'config', 1, 0))
  expect([askOften(a), askOften(b)]).toEqual([
    [true, true, true, false],
    [true, true, true, false]
  ])
  sendCounts.forget('a')
  expect([askOften(a), sendCounts.maySend(b, 'config', 1, 0)]).toEqual([[true, true, true, false], false])
})

it('sending a new revision counts as one of the three; one that `maySend` allowed counts once', () => {
  const sendCounts = createSendCounts()
  const device = { id: 'a', bootId: 'boot-1' }
  const ask = (): boolean => {
    const isAsked = sendCounts.maySend(device, 'config', 1, 0)
    if (isAsked) sendCounts.wasSent(device, 'config', 1)
    return isAsked
  }
  sendCounts.wasSent({ ...device, bootId: 'boot-0' }, 'config', 1)
  sendCounts.wasSent(device, 'config', 0)
  sendCounts.wasSent(device, 'config', 1)
  expect([ask(), ask(), ask()]).toEqual([true, true, false])
})
