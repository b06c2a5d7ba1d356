import { expect, test } from 'vitest'
import { loadInTurn, loadTogether } from './load-together.ts'

test('ids requested in the same turn are read together; missing ones are null, and nothing is cached', async () => {
  const reads: string[][] = []
  const load = loadTogether<number>(
    (ids) => {
      reads.push([...ids])
      return Promise.resolve(new Map(ids.filter((id) => id !== 'none').map((id) => [id, reads.length])))
    },
    { gatherMs: 5 }
  )
  expect(await Promise.all([load('one'), load('none'), load('two'), load('one')])).toEqual([1, null, 1, 1])
  expect(await load('one')).toBe(2)
  expect(reads.map((ids) => [...new Set(ids)])).toEqual([['one', 'none', 'two'], ['one']])
})

test('a read that fails fails for all its callers, and not for later ones', async () => {
  let fails = true
  const load = loadTogether<number>(
    (ids) => (fails ? Promise.reject(new Error('away')) : Promise.resolve(new Map(ids.map((id) => [id, 1])))),
    { gatherMs: 5 }
  )
  const both = await Promise.allSettled([load('one'), load('two')])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await load('one')).toBe(1)
})

test('in turn: the first id is read at once, those requested meanwhile in one further read, also after a failure', async () => {
  const reads: { ids: string[]; answer: PromiseWithResolvers<Map<string, number>> }[] = []
  const load = loadInTurn<number>((ids) => {
    const answer = Promise.withResolvers<Map<string, number>>()
    reads.push({ ids: [...ids], answer })
    return answer.promise
  })
  const first = load('one')
  await expect.poll(() => reads.length).toBe(1)
  const later = [load('two')]
  await Promise.resolve()
  later.push(load('none'))
  reads[0]?.answer.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await expect.poll(() => reads.length).toBe(2)
  reads[1]?.answer.resolve(new Map([['two', 2]]))
  expect(await Promise.all(later)).toEqual([2, null])
  expect(reads.map(({ ids }) => ids)).toEqual([['one'], ['two', 'none']])
})
