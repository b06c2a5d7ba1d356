import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { PairingPanel } from './pairing-panel.tsx'

const minute = 60_000

/** The panel on a phone whose clock is wrong by that much, with a code that is valid for ten minutes more. */
async function open(wrongByMs: number) {
  const app = await createTestApp({ areas: ['pairing'] })
  const serverNow = app.clock.now()
  app.clock.step(wrongByMs)
  app.serverTime.heard(new Date(serverNow).toUTCString())
  const expiresAt = new Date(serverNow + 10 * minute).toISOString()
  const claim = { id: 'a', code: 'QRST-7788', userId: 'u.QRST7788', expiresAt }
  app.show(
    <PairingPanel
      claim={claim}
      pairing={undefined}
      sentAt={null}
      serverHost="batti.local"
      onNewCode={() => {}}
      done={null}
    />
  )
  return app
}

test.each([7 * 3600_000, -7 * 3600_000, 0])('a phone’s clock that is wrong by %d ms changes no code', async (wrong) => {
  const { clock } = await open(wrong)
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.getByRole('timer').textContent).toBe('10:00')
  act(() => clock.advance(9.5 * minute))
  expect(screen.getByRole('timer').textContent).toBe('0:30')
  act(() => clock.step(-3600_000))
  act(() => clock.advance(minute))
  expect(screen.getByRole('alert').textContent).toContain('has run out')
})

test('the reason why a board was refused is in the language of the page', async () => {
  const app = await createTestApp({ language: 'ne', areas: ['pairing'] })
  const detail = 'Device type BT9 / batti-9 is not known here. Ask your supplier to add it.'
  await waitFor(() => expect(app.words(detail)).not.toBe(detail))
  const pairing = { id: 'a', step: 'failed', furthest: 'reached', detail } as const
  app.show(
    <PairingPanel
      claim={undefined}
      pairing={pairing}
      sentAt={null}
      serverHost="batti.local"
      onNewCode={() => {}}
      done={null}
    />
  )
  expect(screen.getByRole('alert').textContent).toContain('बोर्डको प्रकार BT9 / batti-9 यहाँ थाहा छैन')
})

test('each step says in words whether it is done, as its circle shows', async () => {
  const app = await createTestApp({ areas: ['pairing'] })
  const expiresAt = new Date(app.clock.now() + 10 * minute).toISOString()
  app.show(
    <PairingPanel
      claim={{ id: 'a', code: 'QRST-7788', userId: 'u.QRST7788', expiresAt }}
      pairing={{ id: 'a', step: 'failed', furthest: 'reached', detail: 'Too many boards.' }}
      sentAt={app.clock.now()}
      serverHost="batti.local"
      onNewCode={() => {}}
      done={null}
    />
  )
  const items = screen.getAllByRole('listitem').slice(0, 5)
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'Pairing code made: done',
    'Wi-Fi sent to the board: done',
    'The board reached the server: done',
    'It is yours: failed',
    'Online'
  ])
})
