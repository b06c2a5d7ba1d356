import { act, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { boardRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { AllOffButton } from './all-off-button.tsx'

const board = boardRecord()

function Room() {
  const [isLit, setLit] = useState(true)
  return (
    <>
      <AllOffButton devices={[board]} room="Kitchen" isLit={isLit} />
      <button type="button" onClick={() => setLit(false)}>
        All has gone off
      </button>
    </>
  )
}

test('stays where the keyboard is when all is off, takes nothing more, and goes with the focus', async () => {
  const { line, live, show } = await createTestApp({ areas: ['devices', 'switches'] })
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
