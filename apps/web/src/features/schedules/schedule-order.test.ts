import { expect, test } from 'vitest'
import { scheduleRecord } from '#web/test/fixtures.ts'
import { keptOrder } from './schedule-order.ts'

const at = (hour: number) => `2026-11-26T0${hour}:00:00.000Z`
const first = scheduleRecord({ _id: 'first', nextRunAt: at(1) })
const second = scheduleRecord({ _id: 'second', nextRunAt: at(3) })
const idsOf = (order: readonly { _id: string }[]) => order.map(({ _id }) => _id)

test('the next one is first; one that is set passive or moved meanwhile keeps its place', () => {
  const order = idsOf(keptOrder([], [second, first]))
  expect(order).toEqual(['first', 'second'])
  expect(idsOf(keptOrder(order, [second, { ...first, isActive: false }]))).toEqual(['first', 'second'])
  expect(idsOf(keptOrder(order, [{ ...second, nextRunAt: at(0) }]))).toEqual(['second'])
})

test('a new one is inserted in order', () => {
  const between = scheduleRecord({ _id: 'between', nextRunAt: at(2) })
  const last = scheduleRecord({ _id: 'last', nextRunAt: at(4) })
  expect(idsOf(keptOrder(['first', 'second'], [first, last, second, between]))).toEqual([
    'first',
    'between',
    'second',
    'last'
  ])
})

test('inactive ones are last, by name', () => {
  const passive = (label: string) => scheduleRecord({ _id: label, label, isActive: false, nextRunAt: null })
  const all = [passive('Porch'), passive('Attic'), second, passive('Hall'), first]
  expect(idsOf(keptOrder([], all))).toEqual(['first', 'second', 'Attic', 'Hall', 'Porch'])
})
