import { act, fireEvent, render, screen } from '@testing-library/react'
import { toast } from 'react-hot-toast'
import { afterEach, expect, test, vi } from 'vitest'
import { Toaster } from './toaster.tsx'

// The library asks whether things may move, which jsdom does not know.
vi.stubGlobal('matchMedia', () => ({ matches: true }))
afterEach(() => act(() => toast.remove()))

/** The nearest element around the words that the library places. */
function placeOf(text: string): string {
  for (let at: HTMLElement | null = screen.getByText(text); at !== null; at = at.parentElement)
    if (at.style.position === 'absolute') return at.style.bottom === '' ? 'top' : 'bottom'
  throw new Error('The toast stands nowhere')
}

test('a toast stays away from where somebody is just pressing', () => {
  render(<Toaster />)
  act(() => void toast('Saved'))
  fireEvent.pointerDown(document.body, { clientX: 500, clientY: 400 })
  expect(placeOf('Saved')).toBe('top')
  fireEvent.pointerDown(document.body, { clientX: 500, clientY: 50 })
  expect(placeOf('Saved')).toBe('bottom')
  fireEvent.pointerDown(document.body, { clientX: 500, clientY: 400 })
  expect(placeOf('Saved')).toBe('top')
})

test('it stays away from where the keyboard is, and a page that has the focus as a whole is no such place', () => {
  render(
    <main tabIndex={-1}>
      <button type="button">Light</button>
      <Toaster />
    </main>
  )
  const button = screen.getByRole('button', { name: 'Light' })
  button.getBoundingClientRect = () => new DOMRect(460, 20, 100, 44)
  act(() => void toast('Saved'))
  act(() => screen.getByRole('main').focus())
  expect(placeOf('Saved')).toBe('top')
  act(() => button.focus())
  expect(placeOf('Saved')).toBe('bottom')
})

test('with the hand low, two toasts stand under the title of the page', () => {
  render(
    <>
      <h1>My Devices</h1>
      <Toaster />
    </>
  )
  screen.getByRole('heading').getBoundingClientRect = () => new DOMRect(400, 40, 200, 44)
  fireEvent.pointerDown(document.body, { clientX: 500, clientY: 640 })
  act(() => void toast('Saved'))
  expect(placeOf('Saved')).toBe('top')
  const box = screen.getByText('Saved').closest<HTMLElement>('.toasts')
  expect(box?.style.getPropertyValue('--toasts-top')).toBe('92px')
})
