import { judgeImage, readBlock, type TrustedKey } from '@batti/firmware/image-block'
import type { Timers } from '@batti/kit/clock'
import type { FirmwareProgress, FirmwareUpdatePayload } from '@batti/contracts'
import { messageOf } from '@batti/kit/message-of'
import { downloadImage } from './firmware-download.ts'
import type { ImageStore, Slot } from './firmware-images.ts'
import type { FaultSettings } from '../board/faults.ts'
import type { FlashRecord } from '../board/flash-record.ts'

type FirmwareRecord = FlashRecord['firmware']
type FirmwareChange = Partial<Omit<FirmwareRecord, 'outcome'>>

/** The factory version of every board, which is in the chip and cannot be lost. */
export const factoryVersion = '1.4.0'

/** A new version must reach the server within this many starts, or it is rolled back. */
const trialStarts = 3

/**
 * Chooses the version to run at power-up: one on trial, the proved one, or the factory version (`version` null), which is
 * always available. Never starts an image whose digest has changed.
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
      ? `server-unreachable: Version ${trial.version} did not reach the server in ${trialStarts} starts; the version before is back.`
      : `boot-failed: The image of version ${trial.version} is damaged; the version before is back.`
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

export interface UpdaterParts {
  images: ImageStore
  clock: Timers
  random: () => number
  signal: AbortSignal
  firmware(): FirmwareRecord
  /** Returns the credential for a download URL, and the CA to trust there. */
  credentialFor(url: URL): { authorization: string | null; caPem: string | null }
  /** Stores the change, which is on the disk when this returns. */
  save: (change: FirmwareChange) => void
  progress: (progress: FirmwareProgress) => void
  reboot: () => void
  hwModel: string
  trustedKeys: readonly TrustedKey[]
  /** Returns the injected fault of updates. */
  fault: () => FaultSettings['update']
  /** Cuts the power without a report, and restores it. */
  cutPower: () => void
}

export interface Updater {
  /** Starts an update. Continues it if it is in progress already; rejects another one until it is proved or given up. */
  start(update: FirmwareUpdatePayload): void
  /** Resumes an update that a power cut interrupted. */
  resume(): void
  /** Accepts a version on trial once it has reached the server. Returns whether there was one. */
  prove(): boolean
  /** Rolls back a version on trial that did not reach the server in time. The old version reports it. */
  giveUpTrial(): void
}

/** Downloads, verifies and installs an image in the idle slot, and restarts. Keeps the old one until the new one is proved. */
export function createUpdater(parts: UpdaterParts): Updater {
  const { images, signal, save } = parts
  let running: string | null = null
  /** Of the update that is running. */
  let last: FirmwareProgress | null = null

  function progress(update: FirmwareProgress): void {
    if (update.id === running) last = update
    parts.progress(update)
  }

  async function run(update: FirmwareUpdatePayload): Promise<void> {
    running = update.id
    last = null
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
        error: messageOf(error).slice(0, 256)
      })
    } finally {
      running = null
    }
  }

  async function install(update: FirmwareUpdatePayload): Promise<void> {
    const { id, version, sha256, size } = update
    const slot = idleSlot(parts.firmware())
    const { download } = parts.firmware()
    // Resume the draft of the same image; discard that of another one.
    if (download?.sha256 !== sha256) images.discardDraft(slot)
    save({ download: update })
    const percent = (done: number): void => progress({ id, phase: 'download', percent: done })
    const breaksOnce = parts.fault() === 'broken-line'
    await downloadImage(update, slot, { ...parts, breaksOnce, percent, ...parts.credentialFor(new URL(update.url)) })
    if (parts.fault() === 'bad-image') images.append(slot, Buffer.of(0))
    progress({ id, phase: 'verify', percent: 0 })
    if ((await images.draftDigest(slot)) !== sha256)
      throw new Error('checksum: The image is not what was announced (its SHA-256 differs).')
    signal.throwIfAborted()
    const secureVersion = checkImage(images.readDraft(slot), parts)
    if (parts.fault() === 'power-cut') return parts.cutPower()
    progress({ id, phase: 'install', percent: 0 })
    images.install(slot)
    save({ trial: { id, slot, version, sha256, size, secureVersion, boots: 0 }, download: null })
    progress({ id, phase: 'reboot', percent: 100 })
    parts.reboot()
  }

  return {
    start(update) {
      // The server repeats its request when it does not know the progress.
      if (running === update.id) return last === null ? undefined : progress(last)
      const { active, trial } = parts.firmware()
      if (active?.id === update.id) return progress({ id: update.id, phase: 'done', percent: 100 })
      if (trial?.id === update.id) return progress({ id: update.id, phase: 'reboot', percent: 100 })
      // The image on trial is in the slot that a download would replace.
      if (running !== null || trial !== null) {
        return progress({
          id: update.id,
          phase: 'failed',
          percent: 0,
          error: 'rejected: Another update is under way on this board.'
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
      if (trial === null) return false
      const { boots: _, ...image } = trial
      save({ active: image, trial: null })
      progress({ id: trial.id, phase: 'done', percent: 100 })
      return true
    },
    giveUpTrial() {
      const { trial } = parts.firmware()
      if (trial === null) return
      // Use up its starts, so that the next start runs the old version.
      save({ trial: { ...trial, boots: trialStarts } })
      parts.reboot()
    }
  }
}

/** Checks what the board requires of any image. Returns its secure version. @throws Error that begins with the error code. */
function checkImage(
  image: Buffer,
  { trustedKeys, hwModel, firmware }: Pick<UpdaterParts, 'trustedKeys' | 'hwModel' | 'firmware'>
): number {
  const verdict = judgeImage(image, trustedKeys)
  if (trustedKeys.length > 0 && verdict.kind !== 'good')
    throw new Error(
      `signature: The image is ${verdict.kind === 'unsigned' ? 'not signed' : 'not signed by a trusted key'}.`
    )
  const block = readBlock(image)
  if (block === null || 'damaged' in block) return 0
  if (block.hwModel !== hwModel)
    throw new Error(`wrong-model: The image is for ${block.hwModel}, this board is ${hwModel}.`)
  const least = firmware().active?.secureVersion ?? 0
  if (block.secureVersion < least)
    throw new Error(`older-secure-version: The image has ${block.secureVersion}, this board runs ${least}.`)
  return block.secureVersion
}

const idleSlot = ({ active }: FirmwareRecord): Slot => (active?.slot === 'a' ? 'b' : 'a')
