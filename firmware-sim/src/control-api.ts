import { levelMax } from '@batti/contracts'
import { boardTypeCodes } from '@batti/contracts/board-types'
import { messageOf } from '@batti/kit/message-of'
import { z } from 'zod'
import type { Board } from './board/board.ts'
import { faultPatch } from './board/faults.ts'
import type { Fleet } from './fleet.ts'

export interface ControlAnswer {
  readonly status: number
  readonly body: unknown
}

const newBoard = z.strictObject({
  model: z.enum(boardTypeCodes),
  name: z.string().trim().min(1).max(60).optional(),
  mac: z.string().max(32).optional(),
  labels: z.array(z.string().trim().max(100)).max(64).optional()
})
const press = z.strictObject({ index: z.int().min(0).max(63) })
const power = z.strictObject({ on: z.boolean() })
const level = z.strictObject({ index: z.int().min(0).max(63), speed: z.int().min(0).max(levelMax) })
const nothing = z.looseObject({})

type Action = (board: Board, body: unknown) => Promise<ControlAnswer> | ControlAnswer

function turnKnob(board: Board, body: unknown): ControlAnswer {
  const { index, speed } = level.parse(body)
  return board.turn(index, speed) ? present(board) : problem(409, `${board.mac} has no power, or no knob at ${index}.`)
}

/** Actions of a person at a board, by the last part of the path. Each returns the state of the board afterwards. */
const actions: Record<string, Action> = {
  press: (board, body) => {
    const { index } = press.parse(body)
    return board.press(index) ? present(board) : problem(409, `${board.mac} has no power, or no button ${index}.`)
  },
  power: async (board, body) => {
    if (power.parse(body).on) await board.restorePower()
    else board.cutPower()
    return present(board)
  },
  level: turnKnob,
  /** The same, for clients that know no dimmers. */
  fan: turnKnob,
  faults: (board, body) => {
    board.setFaults(faultPatch.strict().parse(body))
    return present(board)
  },
  reset: async (board, body) => {
    nothing.parse(body)
    await board.factoryReset()
    return present(board)
  }
}

/**
 * The control API of the wall: `path` below `/api/`, `body` as parsed JSON (undefined for none).
 * For the wall's page, the launcher, end-to-end tests and benchmarks; never on a public address.
 */
export async function control(fleet: Fleet, method: string, path: string, body: unknown): Promise<ControlAnswer> {
  try {
    return await route(fleet, method, path.split('/'), body)
  } catch (error) {
    if (error instanceof z.ZodError) {
      const issue = error.issues[0]
      return problem(400, `${issue?.path.join('.') || 'The body'}: ${issue?.message ?? 'is wrong'}`)
    }
    throw error
  }
}

async function route(fleet: Fleet, method: string, parts: string[], body: unknown): Promise<ControlAnswer> {
  const [collection, mac, action, ...rest] = parts
  if (collection !== 'boards' || rest.length > 0) return problem(404, 'There is nothing at this address.')
  if (mac === undefined) return boards(fleet, method, body)
  const board = fleet.find(decodeMac(mac))
  if (board === null) return problem(404, 'There is no such board.')
  if (action === undefined) return one(fleet, board, method)
  if (action === 'history')
    return method === 'GET' ? { status: 200, body: { mac: board.mac, history: board.history() } } : wrongMethod()
  const act = actions[action]
  if (act === undefined || !Object.hasOwn(actions, action)) return problem(404, 'A board cannot do that.')
  return method === 'POST' ? act(board, body) : wrongMethod()
}

async function boards(fleet: Fleet, method: string, body: unknown): Promise<ControlAnswer> {
  if (method === 'GET') return { status: 200, body: { boards: fleet.list().map((board) => board.state()) } }
  if (method !== 'POST') return wrongMethod()
  const { model, name, mac, labels } = newBoard.parse(body)
  try {
    const board = await fleet.add({
      model,
      ...(name === undefined ? {} : { name }),
      ...(labels === undefined ? {} : { labels }),
      ...(mac === undefined ? {} : { mac })
    })
    return { ...present(board), status: 201 }
  } catch (error) {
    return problem(409, messageOf(error))
  }
}

async function one(fleet: Fleet, board: Board, method: string): Promise<ControlAnswer> {
  if (method === 'GET') return present(board)
  if (method !== 'DELETE') return wrongMethod()
  await fleet.remove(board.mac)
  return { status: 200, body: { removed: board.mac } }
}

const present = (board: Board): ControlAnswer => ({ status: 200, body: board.state() })
const problem = (status: number, message: string): ControlAnswer => ({ status, body: { message } })
const wrongMethod = (): ControlAnswer => problem(405, 'Not with this method.')

function decodeMac(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
