import { createFakeClock } from '@batti/kit/testing'
import { expect, it } from 'vitest'
import type { ActionLogDocument } from './action-log.model.ts'
import { createHeldRows } from './held-rows.ts'

const rowOf = (switchIndex: number) => ({ switchIndex }) as ActionLogDocument
const reportOf = (seq: number) => ({ bootId: 'boot-0001', seq })

type Options = Parameters<typeof createHeldRows>[0]
type Setting = Pick<Options, 'upSince' | 'isStoring' | 'findLogged'>

function setUp({ upSince = () => -Infinity, isStoring = () => true, findLogged }: Partial<Setting> = {}) {
  const clock = createFakeClock()
  const written: string[] = []
  const held = createHeldRows({
    clock,
    upSince,
    isStoring,
    findLogged,
    write(deviceId, report, rows) {
      written.push(`${deviceId} ${report?.seq ?? '-'}: ${rows.map(({ switchIndex }) => switchIndex).join()}`)
    }
  })
  return { clock, held, written }
}

it('rows that nothing explains are written after 8 s, each once', () => {
  const { clock, held, written } = setUp()
  held.keep('a', reportOf(5), [rowOf(0), rowOf(1)])
  clock.advance(4000)
  held.keep('a', null, [rowOf(2)])
  clock.advance(3999)
  held.sweep()
  expect(written).toEqual([])
  clock.advance(1)
  held.sweep()
  expect(written).toEqual(['a 5: 0,1'])
  clock.advance(4000)
  held.sweep()
  held.sweep()
  expect(written).toEqual(['a 5: 0,1', 'a -: 2'])
})

it('after the boards had no answer for a while, rows are held until each has repeated its reports', () => {
  const { clock, held, written } = setUp({ upSince: () => 0 })
  held.keep('a', reportOf(5), [rowOf(0)])
  clock.advance(31_999)
  held.sweep()
  expect(written).toEqual([])
  held.keep('b', reportOf(5), [rowOf(0)])
  clock.advance(1)
  held.sweep()
  expect(written).toEqual(['a 5: 0'])
  clock.advance(7999)
  held.sweep()
  expect(written).toEqual(['a 5: 0', 'b 5: 0'])
})

it('while boards cannot reach the server, and until each has repeated its reports afterwards, rows are held', () => {
  let upSince: number | null = null
  const { clock, held, written } = setUp({ upSince: () => upSince })
  held.keep('a', reportOf(5), [rowOf(0)])
  clock.advance(60_000)
  held.sweep()
  expect(written).toEqual([])
  upSince = clock.monotonic()
  clock.advance(31_999)
  held.sweep()
  expect(written).toEqual([])
  clock.advance(1)
  held.sweep()
  expect(written).toEqual(['a 5: 0'])
})

it('while nothing can be stored, and until each board has repeated its reports afterwards, rows are held', () => {
  let isStoring = false
  const { clock, held, written } = setUp({ isStoring: () => isStoring })
  held.keep('a', reportOf(5), [rowOf(0)])
  clock.advance(60_000)
  held.sweep()
  isStoring = true
  clock.advance(31_999)
  held.keep('b', reportOf(5), [rowOf(0)])
  held.sweep()
  expect(written).toEqual([])
  clock.advance(1)
  held.sweep()
  expect(written).toEqual(['a 5: 0'])
})

it('an explained row is not written; its report is acknowledged when its last row is explained', () => {
  const { clock, held, written } = setUp()
  held.keep('a', reportOf(5), [rowOf(0), rowOf(1)])
  held.keep('b', reportOf(5), [rowOf(0)])
  held.explain('a', [0, 3])
  expect(written).toEqual([])
  expect([held.has('a', reportOf(5)), held.has('a', reportOf(6)), held.has('c', reportOf(5))]).toEqual([
    true,
    false,
    false
  ])
  held.explain('a', [1])
  expect([written, held.has('a', reportOf(5))]).toEqual([['a 5: '], false])
  clock.advance(8000)
  held.sweep()
  expect(written).toEqual(['a 5: ', 'b 5: 0'])
})

it('a late report explains the row of the first report that shows its change', () => {
  const { held, written } = setUp()
  for (const seq of [5, 6]) held.keep('a', reportOf(seq), [rowOf(0)])
  held.explain('a', [0])
  expect([written, held.has('a', reportOf(6))]).toEqual([['a 5: '], true])
})

it('more than 64 are not held: the oldest is written at once', () => {
  const { held, written } = setUp()
  for (let seq = 1; seq <= 64; seq += 1) held.keep('a', reportOf(seq), [rowOf(0)])
  expect(written).toEqual([])
  held.keep('a', reportOf(65), [rowOf(0)])
  expect([written, held.has('a', reportOf(1)), held.has('a', reportOf(2))]).toEqual([['a 1: 0'], false, true])
})

it('rows of a deleted board are dropped', () => {
  const { clock, held, written } = setUp()
  held.keep('a', reportOf(5), [rowOf(0)])
  held.forget('a')
  clock.advance(8000)
  held.sweep()
  expect(written).toEqual([])
})

it('where other instances receive reports too, rows are held until one that was killed counts as gone', () => {
  const asked: string[] = []
  const { clock, held } = setUp({
    findLogged(deviceId) {
      asked.push(deviceId)
      return Promise.resolve(new Set())
    }
  })
  held.keep('a', null, [rowOf(0)])
  clock.advance(31_999)
  held.sweep()
  expect(asked).toEqual([])
  clock.advance(1)
  held.sweep()
  expect(asked).toEqual(['a'])
})

it('rows are held on while the log cannot be searched, and it is searched again', async () => {
  const rows = [rowOf(0), rowOf(1)]
  const found = [undefined, new Set(rows.slice(0, 1))]
  const { clock, held, written } = setUp({ findLogged: () => Promise.resolve(found.shift()) })
  held.keep('a', reportOf(5), rows)
  clock.advance(32_000)
  held.sweep()
  await expect.poll(() => found.length).toBe(1)
  clock.advance(7999)
  held.sweep()
  expect([found.length, written, held.has('a', reportOf(5))]).toEqual([1, [], true])
  clock.advance(1)
  held.sweep()
  await expect.poll(() => written).toEqual(['a 5: 1'])
})

it('rows that another instance has logged are not written, nor those that are explained while the log is searched', async () => {
  const found = Promise.withResolvers<ReadonlySet<ActionLogDocument>>()
  const asked: string[] = []
  const { clock, held, written } = setUp({
    findLogged(deviceId, rows) {
      asked.push(`${deviceId} ${rows.map(({ switchIndex }) => switchIndex).join()}`)
      return found.promise
    }
  })
  const rows = [rowOf(0), rowOf(1), rowOf(2)]
  held.keep('a', reportOf(5), rows)
  clock.advance(32_000)
  held.sweep()
  held.sweep()
  expect([asked, written, held.has('a', reportOf(5))]).toEqual([['a 0,1,2'], [], true])
  held.explain('a', [1])
  found.resolve(new Set(rows.slice(0, 1)))
  await expect.poll(() => written).toEqual(['a 5: 2'])
  expect(held.has('a', reportOf(5))).toBe(false)
})
