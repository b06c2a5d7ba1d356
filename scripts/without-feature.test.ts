import { minuteMs } from '@batti/kit/durations'
import { expect, test } from 'vitest'
import { removeFromCompose } from './remove-from-compose.ts'
import { tryWithout } from './without-feature.ts'

test.each([
  ['schedules', '/schedules'],
  ['action-logs', '/switch-action-logs'],
  ['unauthorized-logs', '/unauthorized-logs']
])(
  'without the folder of %s and its line the api type-checks, starts and stops',
  async (feature, path) => {
    expect(await tryWithout(feature, [path, '/devices'])).toEqual({
      types: '',
      // Its calls are gone; the others exist, for logged-in users.
      statuses: { [path]: 404, '/devices': 401 },
      exitCode: 0
    })
  },
  5 * minuteMs
)

test('a feature is removed from compose.ts wherever it is listed', () => {
  const text = `import { createLampBook } from './features/lamps/lamp-book.ts'
import { createLampsFeature } from './features/lamps/feature.ts'
import { createRoomsFeature } from './features/rooms/feature.ts'
  const lamps = add(
    createLampsFeature({ ...platform, find: () => null })
  )
  lamps.askAt(createRoomsBook({ lamps }), createLampBook({ boards }))
  add(createRoomsFeature({ lamps, gate: lamps.gate, boards, lampsToo }))
  add(createHomeFeature({ boards, gate: lamps.gate, lamps }))
`
  expect(removeFromCompose(text, 'lamps')).toBe(`import { createRoomsFeature } from './features/rooms/feature.ts'
  add(createRoomsFeature({ boards, lampsToo }))
  add(createHomeFeature({ boards }))
`)
  expect(() => removeFromCompose(text, 'stairs')).toThrow('compose.ts imports nothing that makes stairs')
})
