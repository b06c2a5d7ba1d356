/**
 * The load generator, in its own process: screens and boards of one target, and toggles at a given rate. Open loop: like
 * people, it sends the next toggle on time, whether or not the last one was answered.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { answerParent } from '../child.ts'
import { connectBoard, type LoadBoard } from './load-board.ts'
import { openScreen, type Screen } from './load-screen.ts'
import { percentile } from '../figures/statistics.ts'
import type { Latency, Target } from './target.ts'

export type LoadQuestion =
  | { do: 'connect'; target: Target }
  | { do: 'toggle'; perSecond: number; seconds: number }
  | { do: 'settle'; withinMs: number }
  | { do: 'close' }

export interface Toggled extends Latency {
  /** Latency of each toggle, milliseconds. */
  took: number[]
  acknowledged: number
  refused: number
}

const outlets = 4
const lostAfterMs = 4000
const boardsAtOnce = 8

let screens: Screen[] = []
let boards: LoadBoard[] = []
let places: { screen: Screen; mac: string; states: boolean[] }[] = []
let turn = 0

async function connect(target: Target): Promise<number> {
  const waiting = [...target.boards]
  const worker = async (): Promise<void> => {
    for (let board = waiting.shift(); board !== undefined; board = waiting.shift())
      boards.push(await connectBoard(target, board))
  }
  await Promise.all(Array.from({ length: boardsAtOnce }, worker))
  const opened = await Promise.all(
    target.users.map(({ token }, user) =>
      openScreen(
        target,
        token,
        target.boards.filter((board) => board.user === user).map(({ mac }) => mac)
      )
    )
  )
  screens = opened
  places = target.boards.flatMap(({ mac, user }) => {
    const screen = opened[user]
    return screen === undefined ? [] : [{ screen, mac, states: Array.from({ length: outlets }, () => false) }]
  })
  return boards.length
}

async function toggleAt(perSecond: number, seconds: number): Promise<Toggled> {
  const took: number[] = []
  let [sent, acknowledged, refused] = [0, 0, 0]
  const told = {
    seen: (ms: number) => void took.push(ms),
    acknowledged: ({ ok }: { ok: boolean }) => void (ok ? (acknowledged += 1) : (refused += 1))
  }
  const total = Math.round(perSecond * seconds)
  const startedAt = performance.now()
  while (sent < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) * perSecond) / 1000) + 1)
    for (; sent < due; sent += 1) flip(told)
    await pause(1)
  }
  const deadline = performance.now() + lostAfterMs
  while (took.length < total && performance.now() < deadline) await pause(5)
  return {
    done: took.length,
    lost: total - took.length,
    p50: percentile(took, 0.5),
    p99: percentile(took, 0.99),
    took,
    acknowledged,
    refused
  }
}

/** Toggles the outlets of all boards in turn, so that none is toggled again before its answer can have arrived. */
function flip(told: Parameters<Screen['toggle']>[3]): void {
  const place = places[turn % places.length]
  const index = Math.floor(turn / places.length) % outlets
  turn += 1
  if (place === undefined) return
  const state = !(place.states[index] ?? false)
  place.states[index] = state
  place.screen.toggle(place.mac, index, state, told)
}

/** Waits until all reports are acknowledged, and thus stored. Returns how many are not. */
async function settle(withinMs: number): Promise<number> {
  const deadline = performance.now() + withinMs
  const open = (): number => boards.reduce((sum, board) => sum + board.unacknowledged(), 0)
  while (open() > 0 && performance.now() < deadline) await pause(10)
  return open()
}

function close(): void {
  for (const screen of screens) screen.close()
  for (const board of boards) board.close()
  screens = []
  boards = []
  places = []
}

answerParent((question: LoadQuestion) => {
  switch (question.do) {
    case 'connect':
      return connect(question.target)
    case 'toggle':
      return toggleAt(question.perSecond, question.seconds)
    case 'settle':
      return settle(question.withinMs)
    case 'close':
      return close()
  }
})
