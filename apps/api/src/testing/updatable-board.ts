import { createHash, randomBytes } from 'node:crypto'
import { firmwareUpdatePayload, type DeviceCredentials, type FirmwareUpdatePayload } from '@batti/contracts'
import { until } from '@batti/kit/testing'
import type { TestProduct } from './product.ts'
import type { TestBoard } from './test-board.ts'

/** How a board handles an update. */
export type UpdateManner = 'obey' | 'ignore' | 'bad-image' | 'power-cut' | 'boots-badly'

export interface UpdatableBoard {
  credentials: DeviceCredentials
  /** Every update that it received, in order. */
  updates: FirmwareUpdatePayload[]
  osVersion: string
  manner: UpdateManner
  /** Returns its current connection. */
  link(): TestBoard
  /** Sends one step of an update, for tests of the states in between. */
  say(phase: string, percent?: number, error?: string): void
  restart(osVersion: string): Promise<void>
  leave(): Promise<void>
  stop(): void
}

/** A board that downloads, restarts and reports, depending on its manner. Each restart is a new boot on a new connection. */
export async function createUpdatableBoard(
  product: TestProduct,
  credentials: DeviceCredentials,
  options: { osVersion?: string; manner?: UpdateManner; outlets?: number } = {}
): Promise<UpdatableBoard> {
  let link: TestBoard | null = null
  let taken = 0
  let isBusy = false

  async function boot(osVersion: string): Promise<void> {
    link = await product.connect(credentials, { outlets: options.outlets ?? 4, announce: false })
    taken = 0
    board.osVersion = osVersion
    link.say('status', { online: true, bootId: link.bootId, conn: 1 })
    link.report({ cause: 'boot', osVersion })
    const { acks } = link
    await until('the board has an answer', () => acks.length > 0)
  }

  async function take(update: FirmwareUpdatePayload): Promise<void> {
    board.updates.push(update)
    const { manner } = board
    if (manner === 'ignore') return
    board.say('download', 10)
    if (manner === 'power-cut') return board.restart(board.osVersion)
    const bytes = Buffer.from(await (await fetch(update.url)).arrayBuffer())
    board.say('verify')
    const isGood = createHash('sha256').update(bytes).digest('hex') === update.sha256 && bytes.length === update.size
    if (!isGood || manner === 'bad-image')
      return board.say('failed', 0, 'checksum: the image is not what was announced')
    board.say('install')
    board.say('reboot', 100)
    await board.restart(manner === 'boots-badly' ? board.osVersion : update.version)
  }

  const board: UpdatableBoard = {
    credentials,
    updates: [],
    osVersion: options.osVersion ?? '1.0.0',
    manner: options.manner ?? 'obey',
    link() {
      if (link === null) throw new Error('The board has no connection.')
      return link
    },
    say(phase, percent = 0, error) {
      const id = board.updates.at(-1)?.id ?? randomBytes(4).toString('hex')
      board.link().say('firmware-progress', { id, phase, percent, ...(error === undefined ? {} : { error }) })
    },
    async restart(osVersion) {
      await board.leave()
      await boot(osVersion)
    },
    async leave() {
      const left = link
      link = null
      left?.say('status', { online: false, bootId: left.bootId, conn: 1 })
      await left?.leave()
    },
    stop() {
      clearInterval(looking)
      link?.stop()
    }
  }
  const looking = setInterval(() => {
    const next = link?.heard.filter(({ name }) => name === 'firmware-update')[taken]
    if (next === undefined || isBusy) return
    taken += 1
    isBusy = true
    void take(firmwareUpdatePayload.parse(next.payload))
      .catch(() => undefined)
      .finally(() => (isBusy = false))
  }, 10)
  await boot(board.osVersion)
  return board
}
