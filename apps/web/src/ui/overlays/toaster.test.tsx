import { act, fireEvent, render, screen } from '@testing-library/react'
import { toast } from 'react-hot-toast'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { Button } from '#web/ui/button.tsx'
import { Toaster } from './toaster.tsx'

// The library queries prefers-reduced-motion, which jsdom does not have.
vi.stubGlobal('matchMedia', () => ({ matches: true }))
afterEach(() => act(() => toast.remove()))

/** The nearest element around the text that the library positions. */
function placeOf(text: string): string {
  for (let at: HTMLElement | null = screen.getByText(text); at !== null; at = at.parentElement)
    if (at.style.position === 'absolute') return at.style.bottom === '' ? 'top' : 'bottom'
  throw new Error('The toast stands nowhere')
}

test('a toast avoids where the user is pressing', () => {
  render(<Toaster />)
  act(() => void toast('Saved'))
  fireEvent.pointerDown(document.body, { clientX: 500, clientY: 400 })
  expect(placeOf('Saved')).toBe('top')
  fireEvent.pointerDown(document.body, { clientX: 500, clientY: 50 })
  expect(placeOf('Saved')).toBe('bottom')
  fireEvent.pointerDown(document.body, { clientX: 500, clientY: 400 })
  expect(placeOf('Saved')).toBe('top')
})

test('it avoids the focused element; a page that has the focus as a whole does not count', () => {
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

test('with the pointer low, two toasts are below the title of the page', () => {
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

test.each([
  ['sends', false],
  ['is sending', true]
])('a toast does not cover the button that %s the form in view', (_, isBusy) => {
  render(
    <>
      <h1>Sign up</h1>
      <form>
        <Button type="submit" isBusy={isBusy}>
          Create Account
        </Button>
      </form>
      <Toaster />
    </>
  )
  screen.getByRole('heading').getBoundingClientRect = () => new DOMRect(400, 40, 200, 44)
  screen.getByRole('button').getBoundingClientRect = () => new DOMRect(400, 620, 200, 44)
  fireEvent.pointerDown(document.body, { clientX: 500, clientY: 20 })
  act(() => void toast('Saved'))
  expect(placeOf('Saved')).toBe('top')
})

test('a toast that was told before the toaster was loaded has its whole time', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))
  toast.success('Saved')
  pass(10_000)
  render(<Toaster />)
  pass(1500)
  screen.getByText('Saved')
  pass(1000)
  pass(1000)
  expect(screen.queryByText('Saved')).toBeNull()
})
