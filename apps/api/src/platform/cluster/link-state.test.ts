import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createLinkState } from './link-state.ts'

function listened() {
  const seen: string[] = []
  const logged: { level: number; err?: { message: string } }[] = []
  const link = createLinkState(
    pino({}, { write: (line: string) => void logged.push(JSON.parse(line) as { level: number }) })
  )
  link.onMissed(() => void seen.push('missed'))
  link.onTurn((isUp) => void seen.push(isUp ? 'up' : 'down'))
  return { link, seen, logged }
}

test('a link that comes up is told once, and after it that messages were missed', () => {
  const { link, seen } = listened()
  link.turn(true)
  link.turn(true)
  expect([link.isUp(), seen]).toEqual([true, ['up', 'missed']])
})

test('a link that breaks is told and logged once, with its reason', () => {
  const { link, seen, logged } = listened()
  link.turn(true)
  link.noteError(new Error('refused'))
  link.turn(false)
  link.turn(false)
  expect([link.isUp(), seen]).toEqual([false, ['up', 'missed', 'down']])
  expect(logged).toMatchObject([{ level: 30 }, { level: 50, err: { message: 'refused' } }])
  expect(logged).toHaveLength(2)
})

test('a link that is ended on purpose is told, and logged as no fault', () => {
  const { link, seen, logged } = listened()
  link.turn(true)
  link.turn(false, { isWanted: true })
  expect(seen.at(-1)).toBe('down')
  expect(logged.map(({ level }) => level)).toEqual([30])
})
