import { expect, it } from 'vitest'
import type { CommandOutcome } from '../../boards/registry/live-device.ts'
import type { Actor } from '../../platform/people/actor.ts'
import { aLiveDevice } from '../../testing/live-device.ts'
import { createCommandAndWait } from './command-and-wait.ts'

const sita = { userId: 'sita' } as Actor

/** Switches an outlet on, with a board that confirms at once. */
function turnOn(stored: Promise<void>): Promise<void> {
  const ended = Promise.resolve<CommandOutcome>({ result: 'confirmed', stored })
  const command = () => ({ id: 'c-1', expiresAt: 0, ended })
  const commandAndWait = createCommandAndWait({ command }, { perSecond: 0, now: () => 0, storedWithinMs: 50 })
  return commandAndWait(sita, aLiveDevice(), { index: 0, on: true }, 'web')
}

it("a command ends once the board's confirmation is stored", async () => {
  await expect(turnOn(Promise.resolve())).resolves.toBeUndefined()
})

it('a command whose state is never stored is still answered, with what happened', async () => {
  await expect(turnOn(new Promise(() => undefined))).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('has switched')
  })
})
