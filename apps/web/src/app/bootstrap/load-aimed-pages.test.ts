import { fireEvent } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { loadAimedPages } from './load-aimed-pages.ts'

/** Aims at what is inside a link; returns the areas of texts that were loaded. */
function aimAt(href: string) {
  const ahead = vi.fn<(areas: readonly string[]) => Promise<never[]>>(async () => [])
  document.body.innerHTML = `<a href="${href}"><svg></svg></a>`
  const end = loadAimedPages({ language: { ahead } }, window)
  onTestFinished(end)
  const icon = document.querySelector('svg') ?? document.body
  fireEvent.pointerOver(icon)
  return { loaded: () => ahead.mock.calls.flat(2), again: () => fireEvent.pointerOver(icon), end }
}

test('a page is loaded as soon as a pointer is over its link', () => {
  const { loaded, again, end } = aimAt('/terms-and-conditions?from=footer')
  expect(loaded()).toEqual(['legal'])
  end()
  again()
  expect(loaded()).toEqual(['legal'])
})

test.each(['https://example.com/privacy', '/no/such/page'])('nothing is loaded for %s', (href) => {
  expect(aimAt(href).loaded()).toEqual([])
})

test('nothing is loaded where the browser saves data', () => {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'connection'))
  expect(aimAt('/privacy').loaded()).toEqual([])
})
