import type { FirmwareUpdatePayload } from '@batti/contracts'
import { backoffMs } from '@batti/kit/backoff'
import { sleep, type Timers } from '@batti/kit/clock'
import { messageOf } from '@batti/kit/message-of'
import type { IncomingMessage } from 'node:http'
import type { ImageStore, Slot } from './firmware-images.ts'
import { sendHttp } from '../network/http-client.ts'
import { bytesOf } from '../stream-bytes.ts'

export interface DownloadParts {
  images: ImageStore
  clock: Timers
  random: () => number
  signal: AbortSignal
  authorization: string | null
  caPem: string | null
  /** Breaks the connection once, halfway. */
  breaksOnce: boolean
  /** Called at each 10 %. */
  percent: (done: number) => void
}

const delays = { firstMs: 1000, longestMs: 15_000, jitter: 0.5 }
const attemptsWithoutProgress = 6
const timeoutMs = 20_000

/** A failure that a retry cannot fix. */
class FinalError extends Error {}

/** Downloads the image to the draft of `slot`, and resumes after a broken connection. Rejects when that is impossible. */
export async function downloadImage(update: FirmwareUpdatePayload, slot: Slot, parts: DownloadParts): Promise<void> {
  const { images, clock, random, signal } = parts
  let failures = 0
  let breaksAt = parts.breaksOnce ? Math.floor(update.size / 2) : Infinity
  while (images.draftSize(slot) < update.size) {
    const before = images.draftSize(slot)
    try {
      await fetchRest(update, slot, { from: before, breaksAt }, parts)
    } catch (error) {
      signal.throwIfAborted()
      if (images.draftSize(slot) >= breaksAt) breaksAt = Infinity
      if (error instanceof FinalError) throw error
      failures = images.draftSize(slot) > before ? 1 : failures + 1
      if (failures >= attemptsWithoutProgress)
        throw new Error(`download-failed: The download broke off for good (${messageOf(error)}).`, { cause: error })
      await sleep(clock, backoffMs(failures, delays, random), signal)
      signal.throwIfAborted()
    }
  }
}

async function fetchRest(
  { url, size }: FirmwareUpdatePayload,
  slot: Slot,
  { from, breaksAt }: { from: number; breaksAt: number },
  parts: DownloadParts
): Promise<void> {
  const { images, signal, authorization, caPem, percent } = parts
  const answer = await sendHttp({
    url: new URL(url),
    method: 'GET',
    headers: {
      ...(from > 0 ? { range: `bytes=${from}-` } : {}),
      ...(authorization === null ? {} : { authorization })
    },
    caPem,
    timeoutMs,
    signal
  })
  let done = startOf(answer, from)
  if (done === 0) images.discardDraft(slot)
  for await (const chunk of bytesOf(answer)) {
    done += chunk.length
    if (done > size) {
      answer.destroy()
      throw new FinalError(`checksum: The image is larger than the announced ${size} bytes.`)
    }
    images.append(slot, chunk)
    if (done >= breaksAt) {
      answer.destroy()
      throw new Error('the line broke')
    }
    if (tenth(done, size) > tenth(done - chunk.length, size)) percent(tenth(done, size) * 10)
  }
  if (done < size) throw new Error(`ended after ${done} of ${size} bytes`)
}

/** Returns the offset of the first byte of the answer. */
function startOf(answer: IncomingMessage, from: number): number {
  const status = answer.statusCode ?? 0
  if (status === 200) return 0
  if (status === 206 && answer.headers['content-range']?.startsWith(`bytes ${from}-`)) return from
  answer.destroy()
  if (status === 429 || status >= 500) throw new Error(`the server answered ${status}`)
  throw new FinalError(`download-failed: The server does not hand out the image (it answered ${status}).`)
}

const tenth = (done: number, size: number): number => Math.floor((done * 10) / size)
