import { expect, onTestFinished, test, vi } from 'vitest'
import { browserZone, zoneName } from './zone-name.ts'

test('a zone that browsers know by an old name is shown by its current one', () => {
  expect(zoneName('Asia/Katmandu')).toBe('Asia/Kathmandu')
  expect(zoneName('Europe/London')).toBe('Europe/London')
})

test.each([
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Europe/London', 'Europe/London'],
  ['Etc/Unknown', 'Asia/Kathmandu'],
  [undefined, 'Asia/Kathmandu']
])('a browser whose zone is %s is in %s', (timeZone, zone) => {
  const known = new Intl.DateTimeFormat().resolvedOptions()
  const options = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
  onTestFinished(() => options.mockRestore())
  options.mockReturnValue({ ...known, timeZone } as Intl.ResolvedDateTimeFormatOptions)
  expect(browserZone()).toBe(zone)
})
