import { createFakeClock } from '@batti/kit/testing'
import { expect, it, onTestFinished } from 'vitest'
import { createBoard } from './board/board.ts'
import { createSharedResources } from './board/shared-resources.ts'
import { submitForm } from './pairing.ts'
import { setupModeMs } from './setup/setup-mode.ts'

const form = {
  ssid: 'Simulated',
  password: 'simulated',
  userId: 'a'.repeat(24),
  serverUrl: 'http://127.0.0.1',
  serverPort: 1,
  otherUrl: '/',
  mqttServerUrl: '127.0.0.1',
  mqttServerPort: 1
}

it('a board whose ten minutes have passed before its turn is powered up again', async () => {
  const clock = createFakeClock()
  const board = createBoard({ model: 'BT4', mac: '34:98:7A:00:00:01', shared: createSharedResources({ clock }) })
  onTestFinished(() => board.close())
  await board.restorePower()
  await board.when(({ phase }) => phase === 'setup')
  clock.advance(setupModeMs)
  await board.when(({ phase }) => phase === 'setup-over')
  expect(board.configure(form)).toBe(false)
  await submitForm(board, form)
  expect(board.state().phase).not.toMatch(/^setup/)
})
