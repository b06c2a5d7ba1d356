import { act, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { printMedia, useMedia, wideScreen } from './use-media.ts'

afterEach(() => vi.unstubAllGlobals())

/** A browser whose window is a wide screen, or a sheet of paper. */
function openWide() {
  const listeners = new Set<() => void>()
  let isPrinting = false
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: (query === printMedia) === isPrinting,
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => listeners.delete(listener)
  }))
  return (value: boolean) =>
    act(() => {
      isPrinting = value
      for (const listener of listeners) listener()
    })
}

test('a wide page stays so on paper, and a part that is only for paper appears', () => {
  const print = openWide()
  let draws = 0
  const wide = renderHook(() => [useMedia(wideScreen), (draws += 1)])
  const paper = renderHook(() => useMedia(printMedia))
  expect([wide.result.current[0], paper.result.current]).toEqual([true, false])
  print(true)
  expect([wide.result.current, paper.result.current]).toEqual([[true, 1], true])
  print(false)
  expect([wide.result.current[0], paper.result.current]).toEqual([true, false])
})
