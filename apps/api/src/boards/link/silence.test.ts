import { expect, it } from 'vitest'
import { aLiveDevice } from '../../testing/live-device.ts'
import { createSilenceWatch } from './silence.ts'

it('presence ends after 150 s of silence, counted from when the server could receive messages', () => {
  const watch = createSilenceWatch()
  const [first, second] = [aLiveDevice({ id: 'a', heardAt: 1000 }), aLiveDevice({ id: 'b', heardAt: 2000 })]
  watch.heard(first)
  watch.heard(second)
  expect([...watch.due(151_000, 0)]).toEqual([])
  expect([...watch.due(151_001, 100_000)]).toEqual([])
  expect([...watch.due(151_001, 0)]).toEqual([first])
  expect([...watch.due(152_001, 0)]).toEqual([second])
  expect([...watch.due(999_999, 0)]).toEqual([])
})

it('a new message restarts the wait; a board that is offline already is not reported again', () => {
  const watch = createSilenceWatch()
  const [first, second] = [aLiveDevice({ id: 'a', heardAt: 0 }), aLiveDevice({ id: 'b', heardAt: 0, isOnline: false })]
  watch.heard(first)
  watch.heard(second)
  first.heardAt = 100_000
  watch.heard(first)
  expect([...watch.due(200_000, 0)]).toEqual([])
  expect([...watch.due(250_001, 0)]).toEqual([first])
})

it('is noticed of a board however often those that were heard before it still speak', () => {
  const watch = createSilenceWatch()
  const [talking, silent] = [aLiveDevice({ id: 'a', heardAt: 0 }), aLiveDevice({ id: 'b', heardAt: 0 })]
  watch.heard(talking)
  watch.heard(silent)
  talking.heardAt = 100_000
  watch.heard(talking)
  expect([...watch.due(200_000, 0)]).toEqual([silent])
})

it('of a deleted board is nobody’s concern', () => {
  const watch = createSilenceWatch()
  const board = aLiveDevice({ id: 'a', heardAt: 0 })
  watch.heard(board)
  watch.forget(board)
  expect([...watch.due(200_000, 0)]).toEqual([])
})
