import { minuteMs } from '@batti/kit/durations'
import type { Model } from 'mongoose'
import type { Logger } from 'pino'
import type { DeviceDocument } from '../registry/device.model.ts'

/** More never have to be disconnected within a minute. */
const atOnce = 100

/**
 * Ends connections that boards have kept without a credential: whoever gave them to another owner was killed before it asked
 * the broker, or could not reach it.
 */
export function createUnpairedBoards(parts: {
  devices: Model<DeviceDocument>
  closeConnection(deviceId: string): void
  log: Logger
}) {
  const { devices, closeConnection, log } = parts
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const found = await devices
      .find({ isOnline: true, credentialHash: null, pendingHash: null }, { _id: 1 })
      .limit(atOnce)
      .lean<Pick<DeviceDocument, '_id'>[]>()
    for (const { _id } of found) closeConnection(String(_id))
  }
  const run = (): void =>
    void look().catch((error: unknown) =>
      log.warn({ err: error }, 'boards without a credential could not be looked for')
    )

  return {
    start(): void {
      run()
      timer = setInterval(run, minuteMs)
    },
    stop: (): void => clearInterval(timer)
  }
}
