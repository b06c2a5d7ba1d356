import { callJson } from '@batti/client/json-call'
import type { BoardView } from '@batti/firmware-sim/board/board-view'
import type { HistoryEntry } from '@batti/firmware-sim/board/history'
import { until } from '@batti/kit/testing'

/** Controls simulated boards: new ones, buttons, plugs and faults, through the simulator's control API. */
export function createWall(base: string) {
  async function ask<Answer>(path: string, body?: object): Promise<Answer> {
    const url = new URL(`/api/boards${path}`, base).href
    return (await callJson(url, body === undefined ? {} : { method: 'POST', body })) as Answer
  }
  const at = (mac: string, what: string): string => `/${encodeURIComponent(mac)}/${what}`
  const find = (mac: string): Promise<BoardView> => ask(`/${encodeURIComponent(mac)}`)
  return {
    find,
    list: async () => (await ask<{ boards: BoardView[] }>('')).boards,
    add: (model: string, name: string) => ask<BoardView>('', { model, name }),
    press: (mac: string, index: number) => ask<BoardView>(at(mac, 'press'), { index }),
    turn: (mac: string, index: number, speed: number) => ask<BoardView>(at(mac, 'level'), { index, speed }),
    power: (mac: string, on: boolean) => ask<BoardView>(at(mac, 'power'), { on }),
    faults: (mac: string, faults: object) => ask<BoardView>(at(mac, 'faults'), faults),
    history: async (mac: string) => (await ask<{ history: HistoryEntry[] }>(at(mac, 'history'))).history,
    when: (mac: string, what: string, condition: (board: BoardView) => boolean) =>
      until(`${mac} ${what}`, async () => {
        const board = await find(mac)
        return condition(board) && board
      })
  }
}
export type Wall = ReturnType<typeof createWall>
