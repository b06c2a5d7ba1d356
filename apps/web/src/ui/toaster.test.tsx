import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { toast } from 'react-hot-toast'
import { afterEach, expect, test, vi } from 'vitest'
import { Toaster } from './toaster.tsx'

// The library asks whether things may move, which jsdom does not know.
vi.stubGlobal('matchMedia', () => ({ matches: true }))
afterEach(() => {
  toast.remove()
  cleanup()
})

/** The nearest element around the words that the library places. */
function placeOf(text: string): string {
  for (let at: HTMLElement | null = screen.getByText(text); at !== null; at = at.parentElement)
    if (at.style.position === 'absolute') return at.style.bottom === '' ? 'top' : 'bottom'
  throw new Error('The toast stands nowhere')
}

test('a toast stays away from where somebody is just pressing', () => {
  render(<Toaster />)
  act(() => void toast('Saved'))
  fireEvent.pointerDown(document.body, { clientY: 500 })
  expect(placeOf('Saved')).toBe('top')
  fireEvent.pointerDown(document.body, { clientY: 90 })
  expect(placeOf('Saved')).toBe('bottom')
  fireEvent.pointerDown(document.body, { clientY: 500 })
  expect(placeOf('Saved')).toBe('top')
})

test('it stays away from where the keyboard is, and a page that has the focus as a whole is no such place', () => {
  render(
    <main tabIndex={-1}>
      <button type="button">Light</button>
      <Toaster />
    </main>
  )
  act(() => void toast('Saved'))
  act(() => screen.getByRole('main').focus())
  expect(placeOf('Saved')).toBe('top')
  act(() => screen.getByRole('button', { name: 'Light' }).focus())
  expect(placeOf('Saved')).toBe('bottom')
})
