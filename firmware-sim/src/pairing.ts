import { ApiError } from '@batti/client/api-error'
import { createClient, type Client } from '@batti/client/client'
import { createDeviceClaim, deviceAuthPath, login, type SetupForm } from '@batti/contracts'
import { messageOf } from '@batti/kit/message-of'
import { createSemaphore } from '@batti/kit/semaphore'
import type { Board } from './board/board.ts'

export interface OwnerAccount {
  api: URL
  email: string
  password: string
}

/** Sets up boards on behalf of a user, as the web page would. */
export interface Owner {
  setUp(board: Board): Promise<void>
}

/** Logs in through the real API. Throws an Error for the user when the API rejects the login. */
export async function logIn({ api, email, password }: OwnerAccount): Promise<Owner> {
  const client = createClient({ base: api.origin })
  const renew = async (): Promise<Client> =>
    client.as((await client.call(login, { body: { email, password } })).accessToken)
  let owner = await renew()

  async function claim(): Promise<string> {
    try {
      return (await owner.call(createDeviceClaim, { body: {} })).userId
    } catch (error) {
      // A token lasts fifteen minutes; a large fleet takes longer.
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      owner = await renew()
      return (await owner.call(createDeviceClaim, { body: {} })).userId
    }
  }

  return {
    async setUp(board) {
      await submitForm(board, {
        ssid: 'Simulated',
        password: 'simulated',
        userId: await claim(),
        serverUrl: `${api.protocol}//${api.hostname}`,
        serverPort: Number(api.port || (api.protocol === 'https:' ? 443 : 80)),
        otherUrl: deviceAuthPath,
        mqttServerUrl: api.hostname,
        mqttServerPort: 8883
      })
    }
  }
}

/**
 * Submits the setup form. A board of a large fleet may wait for its turn until its ten minutes are over: it is powered up
 * again, as a person would do.
 */
export async function submitForm(board: Board, form: SetupForm): Promise<void> {
  if (board.state().phase === 'setup-over') {
    board.cutPower()
    await board.restorePower()
    await board.when(({ phase }) => phase === 'setup')
  }
  if (!board.configure(form)) throw new Error(`${board.mac} is not in setup mode`)
}

/** Sets up every board that waits for it, `atOnce` at a time. Calls `failed` for a board that fails, and continues. */
export async function setUpAll(
  boards: readonly Board[],
  owner: Owner,
  parts: { atOnce: number; timeoutMs: number; failed(board: Board, why: string): void }
): Promise<void> {
  const { run } = createSemaphore(parts.atOnce)
  async function setUp(board: Board): Promise<void> {
    try {
      await owner.setUp(board)
      await board.whenOnline(parts.timeoutMs)
    } catch (error) {
      parts.failed(board, messageOf(error))
    }
  }
  await Promise.all(boards.map((board) => run(() => setUp(board))))
}
