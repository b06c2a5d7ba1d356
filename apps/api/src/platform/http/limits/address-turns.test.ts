import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createAddressTurns } from './address-turns.ts'

test('two requests of an address begin in a turn, the rest in the next turns, in order; others do not wait for them', async () => {
  const inTurn = createAddressTurns()
  const begun: string[] = []
  const come = (...names: string[]) => {
    for (const name of names) inTurn(name.charAt(0), () => void begun.push(name))
  }
  come('a1', 'a2', 'a3', 'a4', 'a5', 'b1')
  expect(begun.splice(0)).toEqual(['a1', 'a2', 'b1'])
  await nextTurn()
  expect(begun.splice(0)).toEqual(['a3', 'a4'])
  come('a6', 'b2', 'b3', 'b4', 'a7')
  expect(begun.splice(0)).toEqual(['b2', 'b3'])
  await nextTurn()
  expect(begun.splice(0)).toEqual(['a5', 'a6', 'b4'])
  await nextTurn()
  expect(begun.splice(0)).toEqual(['a7'])
  await nextTurn()
  come('a8', 'a9', 'b5')
  expect(begun).toEqual(['a8', 'a9', 'b5'])
})
