import { expect, onTestFinished, test, vi } from 'vitest'
import { figureInNepali } from './server-parts.ts'

test('numbers are Nepali also in a browser without Nepali data, such as Chrome', () => {
  const Known = Intl.NumberFormat
  vi.spyOn(Intl, 'NumberFormat').mockImplementation(function (locale, options) {
    return new Known(String(locale).startsWith('ne') ? 'en' : locale, options)
  })
  onTestFinished(() => void vi.restoreAllMocks())
  expect(figureInNepali('42')).toBe('४२')
  expect(figureInNepali('1.4.2')).toBe('1.4.2')
})
