import type { Timers } from '@batti/kit/clock'
import type { FirmwareProgress, FirmwareUpdatePayload } from '@batti/contracts'
import { downloadImage } from './firmware-download.ts'
import type { ImageStore, Slot } from './firmware-images.ts'
import type { FlashRecord } from './flash-record.ts'

type FirmwareRecord = FlashRecord['firmware']
type FirmwareChange = Partial<Omit<FirmwareRecord, 'outcome'>>

/** A new version has to reach the server within so many starts, else the old one comes back. */
const trialStarts = 3

/**
 * Decides at power-up what runs: a version on trial, the proved one, or the factory's (`version` null), which is in the
 * chip and always there. An image that is not what it was is never started.
 */
export async function chooseImage(
  firmware: FirmwareRecord,
  images: ImageStore
): Promise<{ version: string | null; firmware: FirmwareRecord }> {
  const { trial } = firmware
  if (trial !== null) {
    const intact = (await images.imageDigest(trial.slot)) === trial.sha256
    if (intact && trial.boots < trialStarts) {
      return { version: trial.version, firmware: { ...firmware, trial: { ...trial, boots: trial.boots + 1 } } }
    }
    const error = intact
      ? `Version ${trial.version} did not reach the server in ${trialStarts} starts; the version before is back.`
      : `The image of version ${trial.version} is damaged; the version before is back.`
    return chooseImage(
      { ...firmware, trial: null, outcome: { id: trial.id, phase: 'failed', percent: 0, error } },
      images
    )
  }
  const { active } = firmware
  if (active === null) return { version: null, firmware }
  if ((await images.imageDigest(active.slot)) === active.sha256) return { version: active.version, firmware }
  return { version: null, firmware: { ...firmware, active: null } }
}

export type UpdaterParts = {
  images: ImageStore
  clock: Timers
  random: () => number
  signal: AbortSignal
  firmware(): FirmwareRecord
  /** The credential for one download address, and the CA to trust there. */
  credentialFor(url: URL): { authorization: string | null; caPem: string | null }
  /** On the disk when it returns. */
  save: (change: FirmwareChange) => void
  progress: (progress: FirmwareProgress) => void
  reboot: () => void
}

export type Updater = {
  /** Begins an update; one that is under way goes on, another one at the same time is refused. */
  start(update: FirmwareUpdatePayload): void
  /** Takes up again what a power cut interrupted. */
  resume(): void
  /** The server was reached: a version on trial is proved. */
  prove(): void
}

/** Downloads, verifies, installs into the slot that is not running, and restarts. The old image stays until the new one is proved. */
export function createUpdater(parts: UpdaterParts): Updater {
  const { images, signal, save, progress } = parts
  let running: string | null = null

  async function run(update: FirmwareUpdatePayload): Promise<void> {
    running = update.id
    try {
      await install(update)
    } catch (error) {
      if (signal.aborted) return
      save({ download: null })
      images.discardDraft(idleSlot(parts.firmware()))
      progress({
        id: update.id,
        phase: 'failed',
        percent: 0,
        error: error instanceof Error ? error.message : 'unknown'
      })
    } finally {
      running = null
    }
  }

  async function install(update: FirmwareUpdatePayload): Promise<void> {
    const { id, version, sha256, size } = update
    const slot = idleSlot(parts.firmware())
    const { download } = parts.firmware()
    // A draft of another image is of no use; one of the same is where we go on.
    if (download?.sha256 !== sha256) images.discardDraft(slot)
    save({ download: update })
    const percent = (done: number): void => progress({ id, phase: 'download', percent: done })
    await downloadImage(update, slot, { ...parts, percent, ...parts.credentialFor(new URL(update.url)) })
    progress({ id, phase: 'verify', percent: 0 })
    if ((await images.draftDigest(slot)) !== sha256)
      throw new Error('The image is not what was announced (its SHA-256 differs).')
    signal.throwIfAborted()
    progress({ id, phase: 'install', percent: 0 })
    images.install(slot)
    save({ trial: { id, slot, version, sha256, size, boots: 0 }, download: null })
    progress({ id, phase: 'reboot', percent: 100 })
    parts.reboot()
  }

  return {
    start(update) {
      if (running === update.id) return
      if (running !== null) {
        return progress({
          id: update.id,
          phase: 'failed',
          percent: 0,
          error: 'Another update is under way on this board.'
        })
      }
      void run(update)
    },
    resume() {
      const { download } = parts.firmware()
      if (download !== null && running === null) void run(download)
    },
    prove() {
      const { trial } = parts.firmware()
      if (trial === null) return
      const { id, boots: _, ...image } = trial
      save({ active: image, trial: null })
      progress({ id, phase: 'done', percent: 100 })
    }
  }
}

const idleSlot = ({ active }: FirmwareRecord): Slot => (active?.slot === 'a' ? 'b' : 'a')
