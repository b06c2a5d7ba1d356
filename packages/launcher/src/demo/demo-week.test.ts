import { expect, test } from 'vitest'
import { demoBoards } from './demo-plan.ts'
import { demoWeek } from './demo-week.ts'

const now = Date.parse('2026-11-23T08:00:00Z')
const week = demoWeek(now)
const bySwitch = Map.groupBy(week, (change) => `${change.board} ${change.switch}`)

test('is a week of the home’s own switches, without the last minutes', () => {
  const names = new Set(demoBoards.flatMap(({ name, switches }) => switches.map((each) => `${name} ${each.name}`)))
  expect([...bySwitch.keys()].filter((name) => !names.has(name))).toEqual([])
  const days = new Set(week.map(({ at }) => new Date(at).toISOString().slice(0, 10)))
  expect(days.size).toBeGreaterThanOrEqual(7)
  expect(week.every(({ at }) => at < now - 30 * 60_000)).toBe(true)
})

test.each(['00:10', '04:00', '12:30', '16:45', '23:55'])(
  'each switch goes on and off in turn, and is off at the end: at %s',
  (time) => {
    const received = Map.groupBy(
      demoWeek(Date.parse(`2026-11-23T${time}:00Z`)),
      ({ board, switch: name }) => board + name
    )
    for (const changes of received.values()) {
      const turns = changes.filter(({ level }) => level === undefined).map(({ on }) => on)
      expect(turns).toEqual(turns.map((_, index) => index % 2 === 0))
      expect(turns.length % 2).toBe(0)
    }
  }
)

test('schedules switch on the minute; other days of the same home differ', () => {
  const tea = week.filter(({ schedule, on }) => schedule === 'Morning tea' && on)
  // No tea on Saturday; 06:00 in Nepal is 00:15 UTC.
  expect(tea.map(({ at }) => new Date(at).toISOString().slice(11, 16))).toEqual(tea.map(() => '00:15'))
  expect(tea).toHaveLength(6)
  const kitchen = bySwitch.get('Kitchen ceiling Kitchen lamp') ?? []
  expect(new Set(kitchen.map(({ at }) => at % 86_400_000)).size).toBeGreaterThan(10)
})

test('computed a moment later it is the same week', () => {
  expect(demoWeek(now + 60_000)).toEqual(week)
})
