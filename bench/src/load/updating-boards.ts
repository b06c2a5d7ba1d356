/** Runs boards that accept updates in their own process: each downloads its image, restarts after a moment and reports it. */
import type { FirmwareUpdatePayload } from '@batti/contracts'
import { createSemaphore } from '@batti/kit/semaphore'
import { setTimeout as pause } from 'node:timers/promises'
import { answerParent } from '../child.ts'
import { connectBoard, type LoadBoard } from './load-board.ts'
import type { Target, TargetBoard } from './target.ts'

export type UpdatingQuestion =
  | { do: 'connect'; broker: Target['broker']; boards: TargetBoard[] }
  | { do: 'count' }
  | { do: 'close' }

export interface UpdateCount {
  /** Update jobs that arrived, including repeated ones. */
  sent: number
  updated: number
  downloadedBytes: number
  faults: string[]
}

const atOnce = 8
/** How long a board is offline when it restarts. */
const bootMs = 2000

const links = new Map<string, LoadBoard>()
const count: UpdateCount = { sent: 0, updated: 0, downloadedBytes: 0, faults: [] }

async function connect(broker: Target['broker'], boards: readonly TargetBoard[]): Promise<number> {
  const { run } = createSemaphore(atOnce)
  await Promise.all(boards.map((board) => run(() => boot(broker, board, '1.4.0'))))
  return links.size
}

async function boot(broker: Target['broker'], board: TargetBoard, osVersion: string): Promise<void> {
  const link = await connectBoard({ broker }, board, {
    osVersion,
    onUpdate: (update) => {
      count.sent += 1
      takeUpdate(broker, board, update).catch((error: unknown) => void count.faults.push(String(error)))
    }
  })
  links.set(board.deviceId, link)
}

async function takeUpdate(broker: Target['broker'], board: TargetBoard, update: FirmwareUpdatePayload): Promise<void> {
  const say = (phase: string, percent: number): void =>
    links.get(board.deviceId)?.say('firmware-progress', { id: update.id, phase, percent })
  const answer = await fetch(update.url)
  if (!answer.ok || answer.body === null) throw new Error(`the image answered ${answer.status}`)
  let [bytes, tenths] = [0, 0]
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    const tenth = Math.floor((bytes * 10) / update.size)
    if (tenth > tenths) say('download', tenth * 10)
    tenths = tenth
  }
  count.downloadedBytes += bytes
  if (bytes !== update.size) throw new Error(`the image has ${bytes} bytes in place of ${update.size}`)
  for (const phase of ['verify', 'install', 'reboot']) say(phase, 100)
  links.get(board.deviceId)?.close()
  await pause(bootMs)
  await boot(broker, board, update.version)
  count.updated += 1
}

function close(): void {
  for (const link of links.values()) link.close()
  links.clear()
}

answerParent((question: UpdatingQuestion) => {
  switch (question.do) {
    case 'connect':
      return connect(question.broker, question.boards)
    case 'count':
      return count
    case 'close':
      return close()
  }
})
