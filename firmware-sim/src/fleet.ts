import { canonicalMac } from '@batti/contracts'
import { boardTypeCodes, boardTypes, type BoardTypeCode } from '@batti/contracts/board-types'
import { replaceFile } from '@batti/kit/node/durable-file'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { SharedResources } from './board/shared-resources.ts'
import { createBoard, type Board } from './board/board.ts'
import type { FaultPatch } from './board/faults.ts'
import { createFileFlash, createMemoryFlash } from './board/flash.ts'

const inventoryEntry = z.object({
  mac: z.string(),
  model: z.enum(boardTypeCodes),
  name: z.string(),
  labels: z.array(z.string()).default([]),
  setupPort: z.int().nullable()
})
type InventoryEntry = z.infer<typeof inventoryEntry>
const inventory = z.array(inventoryEntry)

export interface NewBoard {
  model: BoardTypeCode
  mac?: string
  name?: string
  /** The label beside each outlet. */
  labels?: readonly string[]
  setupPort?: number | null
  faults?: FaultPatch
}

export interface FleetParts {
  shared: SharedResources
  /** Folder of the boards and their flash files; null keeps everything in memory. */
  folder: string | null
  /** Address that setup pages listen on. */
  host: string
  historyLimit: number
  joinMs: number
  faults: FaultPatch
}

/** The boards of one process, which are restored at the next start. */
export interface Fleet {
  list(): Board[]
  find(mac: string): Board | null
  /** Creates a board and powers it up. Throws an Error for the user when the MAC is invalid or taken. */
  add(board: NewBoard): Promise<Board>
  /** Removes the board and its flash. Returns false when there is none. */
  remove(mac: string): Promise<boolean>
  /** Powers up every board that is stored in the folder. */
  restore(): Promise<void>
  onChange(listener: (mac: string) => void): () => void
  close(): Promise<void>
}

export function createFleet(parts: FleetParts): Fleet {
  const boards = new Map<string, Board>()
  const listeners = new Set<(mac: string) => void>()
  let entries: InventoryEntry[] = []

  const emitChange = (mac: string): void => {
    for (const listener of listeners) listener(mac)
  }

  function remember(): void {
    if (parts.folder !== null)
      replaceFile(join(parts.folder, 'boards.json'), `${JSON.stringify(entries, null, 2)}\n`, true)
  }

  async function power({ mac, model, name, labels, setupPort }: InventoryEntry, faults: FaultPatch): Promise<Board> {
    const { shared, folder, host, historyLimit, joinMs } = parts
    const board = createBoard({
      mac,
      model,
      name,
      labels,
      shared,
      historyLimit,
      joinMs,
      faults: { ...parts.faults, ...faults },
      flash: folder === null ? createMemoryFlash(mac) : createFileFlash(folder, mac),
      setup: setupPort === null ? null : { host, port: setupPort }
    })
    boards.set(mac, board)
    board.onChange(() => emitChange(mac))
    await board.restorePower()
    return board
  }

  return {
    list: () => [...boards.values()],
    find: (mac) => boards.get(canonicalMac(mac) ?? '') ?? null,
    async add({ model, mac: wished, name, labels = [], setupPort = 0, faults = {} }) {
      const mac = wished === undefined ? freeMac(boards, parts.shared.random) : canonicalMac(wished)
      if (mac === null) throw new Error(`${wished} is not a MAC address`)
      if (boards.has(mac)) throw new Error(`There is a board ${mac} already`)
      const entry = { mac, model, name: name ?? boardTypes[model].title, labels: [...labels], setupPort }
      const board = await power(entry, faults)
      const url = board.state().setupUrl
      // Store the port of the page, so that links to it stay valid.
      entries = [...entries, { ...entry, setupPort: url === null ? null : Number(new URL(url).port) }]
      remember()
      emitChange(mac)
      return board
    },
    async remove(mac) {
      const board = boards.get(canonicalMac(mac) ?? '')
      if (board === undefined) return false
      boards.delete(board.mac)
      await board.close()
      board.eraseFlash()
      entries = entries.filter((entry) => entry.mac !== board.mac)
      remember()
      emitChange(board.mac)
      return true
    },
    async restore() {
      entries = parts.folder === null ? [] : readInventory(join(parts.folder, 'boards.json'))
      for (const entry of entries) await power(entry, {})
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      await Promise.all([...boards.values()].map((board) => board.close()))
    }
  }
}

function readInventory(path: string): InventoryEntry[] {
  if (!existsSync(path)) return []
  const text = readFileSync(path, 'utf8')
  try {
    return inventory.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error(`${path} is damaged; move it away to start with no boards`, { cause })
  }
}

/** Returns an unused MAC with a vendor prefix. */
function freeMac(taken: ReadonlyMap<string, Board>, random: () => number): string {
  for (;;) {
    const bytes = [0x34, 0x98, 0x7a, ...Array.from({ length: 3 }, () => Math.floor(random() * 256))]
    const mac = bytes.map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':')
    if (!taken.has(mac)) return mac
  }
}
