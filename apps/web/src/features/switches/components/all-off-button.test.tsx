import { act, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { boardRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { AllOffButton } from './all-off-button.tsx'

const board = boardRecord()

function Room() {
  const [on, setOn] = useState<number | null>(2)
  return (
    <>
      <AllOffButton devices={[board]} room="Kitchen" on={on} />
      <button type="button" onClick={() => setOn(0)}>
        All has gone off
      </button>
      <button type="button" onClick={() => setOn(null)}>
        The connection is gone
      </button>
    </>
  )
}

test('stays while it has the focus when all is off, ignores presses, and disappears with the focus', async () => {
  const { line, live, show } = await createTestApp({ areas: ['devices', 'switches', 'rooms'] })
  live.seed([board])
  show(<Room />)
  const button = screen.getByRole('button', { name: 'All OFF: Kitchen' })
  act(() => button.focus())
  fireEvent.click(button)
  expect(button).toHaveProperty('disabled', false)
  fireEvent.click(screen.getByRole('button', { name: 'All has gone off' }))
  expect(document.activeElement).toBe(button)
  fireEvent.click(button)
  expect(line.sent).toHaveLength(1)
  act(() => button.blur())
  expect(screen.queryByRole('button', { name: 'All OFF: Kitchen' })).toBeNull()
})

test('announces to screen readers that all is off, once it is, and not while that is unknown', async () => {
  const { live, show } = await createTestApp({ areas: ['devices', 'switches', 'rooms'] })
  live.seed([board])
  const { container } = show(<Room />)
  const said = () => container.querySelector('[aria-live]')?.textContent
  act(() => screen.getByRole('button', { name: 'All OFF: Kitchen' }).focus())
  expect(said()).toBe('')
  fireEvent.click(screen.getByRole('button', { name: 'The connection is gone' }))
  expect(said()).toBe('')
  fireEvent.click(screen.getByRole('button', { name: 'All has gone off' }))
  expect(said()).toBe('Kitchen: All off')
})
