import { expect, onTestFinished, test, vi } from 'vitest'
import { figureInNepali } from './server-parts.ts'

test('figures are Nepali also in a browser without Nepali data, as Chrome is', () => {
  const Known = Intl.NumberFormat
  vi.spyOn(Intl, 'NumberFormat').mockImplementation(function (locale, options) {
    return new Known(String(locale).startsWith('ne') ? 'en' : locale, options)
  })
  onTestFinished(() => void vi.restoreAllMocks())
  expect(figureInNepali('42')).toBe('४२')
  expect(figureInNepali('1.4.2')).toBe('1.4.2')
})
