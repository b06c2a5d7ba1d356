import { callJson } from '@batti/client/json-call'
import { isRecord } from '@batti/kit/json'

/** The facts about a simulated board that the launcher needs. */
export interface WallBoard {
  mac: string
  name: string
  phase: string
  detail: string | null
  paired: boolean
  setupUrl: string | null
}

/** Client of the simulator's control API, which acts like a person at the wall. */
export interface BoardWall {
  list(): Promise<WallBoard[]>
  add(board: { model: string; name: string; labels: readonly string[] }): Promise<WallBoard>
  find(mac: string): Promise<WallBoard | null>
  /** Holds the button for ten seconds: resets the board to factory state and setup mode. */
  reset(mac: string): Promise<void>
}

export function createBoardWall(base: string): BoardWall {
  const boards = new URL('/api/boards', base).href
  const list = async (): Promise<WallBoard[]> => {
    const answer = await callJson(boards)
    return isRecord(answer) && Array.isArray(answer['boards']) ? answer['boards'].map(readBoard) : []
  }
  return {
    list,
    add: async (board) => readBoard(await callJson(boards, { method: 'POST', body: board })),
    find: async (mac) => (await list()).find((board) => board.mac === mac) ?? null,
    async reset(mac) {
      await callJson(`${boards}/${encodeURIComponent(mac)}/reset`, { method: 'POST', body: {} })
    }
  }
}

function readBoard(value: unknown): WallBoard {
  const board = isRecord(value) ? value : {}
  const text = (name: string): string | null => (typeof board[name] === 'string' ? board[name] : null)
  return {
    mac: text('mac') ?? '',
    name: text('name') ?? '',
    phase: text('phase') ?? '',
    detail: text('detail'),
    paired: board['paired'] === true,
    setupUrl: text('setupUrl')
  }
}
