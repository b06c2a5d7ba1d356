import { networkError } from '@batti/client/transport'
import { useQuery } from '@tanstack/react-query'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryKeys } from '#web/lib/query-keys.ts'
import { switchRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { FavoriteButton } from './favorite-button.tsx'

test("a heart whose answer was lost shows the server's current state", async () => {
  let isFavorite = false
  const read: boolean[] = []
  const app = await createTestApp({
    areas: ['switches', 'devices'],
    server: () => {
      isFavorite = true
      return Promise.reject(networkError(null))
    }
  })
  function Shown() {
    const { data } = useQuery({
      queryKey: queryKeys.mySwitches,
      queryFn: () => {
        read.push(isFavorite)
        return switchRecord({ isFavorite })
      }
    })
    return data && <FavoriteButton record={data} />
  }
  app.show(<Shown />)
  const heart = await screen.findByRole('button', { pressed: false })
  fireEvent.click(heart)
  await waitFor(() => expect(read).toEqual([false, true]))
  await waitFor(() => expect(heart.getAttribute('aria-pressed')).toBe('true'))
})

test('a second press while the first is under way is sent after it', async () => {
  const sent: unknown[] = []
  const answers: (() => void)[] = []
  const app = await createTestApp({
    areas: ['switches', 'devices'],
    server: ({ body }) =>
      new Promise((resolve) => {
        const isFavorite = body === JSON.stringify({ isFavorite: true })
        sent.push(isFavorite)
        answers.push(() => resolve({ data: switchRecord({ isFavorite }) }))
      })
  })
  app.show(<FavoriteButton record={switchRecord({ isFavorite: false })} />)
  const heart = screen.getByRole('button')
  fireEvent.click(heart)
  await waitFor(() => expect(sent).toEqual([true]))
  fireEvent.click(heart)
  expect(heart.getAttribute('aria-pressed')).toBe('false')
  answers[0]?.()
  await waitFor(() => expect(sent).toEqual([true, false]))
  expect(heart.getAttribute('aria-pressed')).toBe('false')
})
