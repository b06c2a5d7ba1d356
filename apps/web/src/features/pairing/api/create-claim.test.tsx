import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { useClaim } from './create-claim.ts'

function Shown() {
  const { data, refetch } = useClaim()
  return <button onClick={() => void refetch()}>{data?.code}</button>
}

test('a phone that was on the board’s Wi-Fi returns to the code that the board has', async () => {
  let made = 0
  const app = await createTestApp({
    server: () => {
      made += 1
      return {
        data: { id: `id-${made}`, code: `CODE-${made}`, userId: `u.CODE-${made}`, expiresAt: '2026-01-01T00:00:00Z' }
      }
    }
  })
  app.show(<Shown />)
  const code = await screen.findByRole('button', { name: 'CODE-1' })
  // As after a reconnection, and after another board was deleted.
  await act(() => app.queryClient.invalidateQueries())
  expect(made).toBe(1)
  fireEvent.click(code)
  await screen.findByRole('button', { name: 'CODE-2' })
})
