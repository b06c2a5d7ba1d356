import { act, fireEvent, screen } from '@testing-library/react'
import { useState, type ComponentType } from 'react'
import { toast, useToasterStore } from 'react-hot-toast'
import { afterEach, expect, test, vi } from 'vitest'
import { openAcrossRelease } from '#web/test/served-release.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { createPart, usePart, type Part } from './use-part.ts'

afterEach(() => act(() => toast.remove()))

const notFetched = new TypeError('Failed to fetch dynamically imported module: /assets/more.js')

function Opener({ part }: { part: Part<{ word: string }> }) {
  const [isWanted, setWanted] = useState(false)
  const more = usePart(part, isWanted, () => setWanted(false))
  return (
    <>
      <button type="button" aria-pressed={isWanted} onClick={() => setWanted((was) => !was)}>
        More
      </button>
      {more?.({ word: 'Pages' })}
      <output>{useToasterStore().toasts.map(({ id }) => id)}</output>
    </>
  )
}

test('a part that fails to load leaves the page as it is, says so, and is loaded at the next press', async () => {
  const load = vi
    .fn<() => Promise<ComponentType<{ word: string }>>>()
    .mockRejectedValueOnce(notFetched)
    .mockResolvedValue(({ word }) => <p>{word}</p>)
  const app = await createTestApp()
  app.show(<Opener part={createPart(load)} />)
  const button = screen.getByRole('button', { name: 'More' })

  fireEvent.click(button)
  await screen.findByText('The server gave no answer. Check your connection and try again.')
  expect(button.getAttribute('aria-pressed')).toBe('false')

  fireEvent.click(button)
  await screen.findByText('Pages')
})

test('a part missing in a new release is reported as such, and stays requested until the page is reloaded', async () => {
  openAcrossRelease({ own: '/assets/index-old.js', served: '/assets/index-new.js' })
  const app = await createTestApp()
  app.show(<Opener part={createPart(() => Promise.reject(notFetched))} />)
  const button = screen.getByRole('button', { name: 'More' })
  fireEvent.click(button)
  await screen.findByText(/A new version is here/)
  expect(button.getAttribute('aria-pressed')).toBe('true')
})

test('a loaded part is shown at once, and is not loaded again', async () => {
  const load = vi.fn<() => Promise<ComponentType<{ word: string }>>>().mockResolvedValue(({ word }) => <p>{word}</p>)
  const part = createPart(load)
  await act(() => part.load())
  const app = await createTestApp()
  app.show(<Opener part={part} />)
  fireEvent.click(screen.getByRole('button', { name: 'More' }))
  screen.getByText('Pages')
  expect(load).toHaveBeenCalledTimes(1)
})
