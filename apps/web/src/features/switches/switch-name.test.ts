// @vitest-environment node
import { expect, test } from 'vitest'
import type { Text } from '#web/lib/i18n/use-text.ts'
import { switchRecord } from '#web/test/fixtures.ts'
import { givenName, switchTitle, withSharedName } from './switch-name.ts'

const t: Text = (id, values) => `${id} ${String(values?.['number'])}`
const third = (switchName: string) => switchRecord({ switchName, switchIndex: 2 })

test.each([
  ['Fan', 'Fan', 'Fan'],
  [' Fan ', 'Fan', 'Fan'],
  ['Switch 3', null, 'switch.name 3'],
  ['', null, 'switch.name 3'],
  ['Switch 1', 'Switch 1', 'switch.name 1']
])('the third switch, stored as "%s", has the name %s and the title "%s"', (stored, given, title) => {
  expect(givenName(third(stored))).toBe(given)
  expect(switchTitle(t, third(stored))).toBe(title)
})

test('switches with one title share it, however it is stored', () => {
  const [one, other, fan] = [third('Switch 3'), third(''), third('Fan')]
  expect([...withSharedName(t, [one, fan, other])]).toEqual([one, other])
})
