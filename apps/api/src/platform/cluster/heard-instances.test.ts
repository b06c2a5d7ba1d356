import { createFakeClock } from '@batti/kit/testing'
import { expect, it } from 'vitest'
import { createHeardInstances } from './heard-instances.ts'

const lostMs = 15_000

it('a gap between the numbers of an instance tells how many of its entries were lost', () => {
  const heard = createHeardInstances({ clock: createFakeClock(), lostMs })
  expect([7, 8, 11, 12].map((number) => heard.noteEntry('b', number))).toEqual([0, 0, 2, 0])
})

it('an instance that begins again at 1, or that was only seen, shows no gap', () => {
  const heard = createHeardInstances({ clock: createFakeClock(), lostMs })
  heard.noteEntry('b', 7)
  expect(heard.noteEntry('b', 1)).toBe(0)
  heard.noteSign('c')
  expect(heard.noteEntry('c', 90)).toBe(0)
})

it('a message to one instance alone does not hide a gap in what all are told', () => {
  const heard = createHeardInstances({ clock: createFakeClock(), lostMs })
  heard.noteEntry('b', 7)
  heard.noteSign('b')
  expect(heard.noteEntry('b', 9)).toBe(1)
})

it('an instance that was silent for too long is gone, and one that said anything is not', () => {
  const clock = createFakeClock()
  const heard = createHeardInstances({ clock, lostMs })
  heard.noteEntry('b', 1)
  heard.noteEntry('c', 1)
  clock.advance(lostMs)
  heard.noteSign('c')
  clock.advance(1)
  expect(heard.forgetSilent()).toEqual(['b'])
  expect(heard.names()).toEqual(['c'])
  expect(heard.has('b')).toBe(false)
  expect(heard.forgetSilent()).toEqual([])
})
