import { cleanup, fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { useListAddress } from './use-list-address.ts'

function Look() {
  const { address, change } = useListAddress('boards', [])
  return (
    <>
      <output>{`${address.columns?.join() ?? 'usual'}, ${address.density}`}</output>
      <button onClick={() => change({ density: 'comfortable' })}>Comfortable</button>
      <button onClick={() => change({ columns: ['email'] })}>Email</button>
      <button onClick={() => change({ columns: null })}>As it was</button>
    </>
  )
}

test('a look that is changed on a later visit keeps what was chosen before', async () => {
  const app = await createTestApp()
  const press = (name: string): string | null => {
    cleanup()
    app.show(<Look />)
    fireEvent.click(screen.getByRole('button', { name }))
    return screen.getByRole('status').textContent
  }
  expect(press('Comfortable')).toBe('usual, comfortable')
  expect(press('Email')).toBe('email, comfortable')
  expect(press('Comfortable')).toBe('email, comfortable')
  expect(press('As it was')).toBe('usual, comfortable')
})
