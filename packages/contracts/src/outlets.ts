import { z } from 'zod'
import { levelMax } from './constants.ts'

/** The kinds of load on one terminal of a board. */
export const outletKinds = ['switch', 'fan', 'socket', 'dimmer'] as const
export type OutletKind = (typeof outletKinds)[number]

interface KindFacts {
  /** Whether it also has a level, 0 to 255: the speed of a fan, or the brightness of a dimmed lamp. */
  hasLevel: boolean
  /** The field that lists the outlets of this kind on the wire; null for the kind of unlisted outlets. */
  listedIn: string | null
}

/** What distinguishes the kinds. Add a new kind here first: code that must handle it then does not compile until it does. */
export const kindFacts = {
  switch: { hasLevel: false, listedIn: null },
  fan: { hasLevel: true, listedIn: 'fanIndexes' },
  socket: { hasLevel: false, listedIn: 'socketIndexes' },
  dimmer: { hasLevel: true, listedIn: 'dimmerIndexes' }
} as const satisfies Record<OutletKind, KindFacts>

type Facts = typeof kindFacts
/** The kinds that have a level. */
export type LevelKind = { [K in OutletKind]: Facts[K]['hasLevel'] extends true ? K : never }[OutletKind]
export type IndexListName = NonNullable<Facts[OutletKind]['listedIn']>
/** Which outlets are of which kind, in wire format. An absent list is empty. */
export type IndexLists = { readonly [Name in IndexListName]?: readonly number[] | undefined }

/** One outlet of a board. Kinds with a level always have `level`, whether the outlet is on or off. */
export interface Outlet {
  readonly kind: OutletKind
  readonly on: boolean
  readonly level?: number
}

/** The states of all outlets of a board, as in reports and on screens: `speed` is the level, 0 where there is none. */
export interface StatesOnWire {
  readonly switch: readonly boolean[]
  readonly speed: readonly number[]
}

export const indexListNames: readonly IndexListName[] = outletKinds.flatMap((kind) => kindFacts[kind].listedIn ?? [])
/** Repeats a value for every list, such as a schema or a column. */
export const forEachList = <Thing>(thing: Thing): Record<IndexListName, Thing> => ({
  fanIndexes: thing,
  socketIndexes: thing,
  dimmerIndexes: thing
})
/** The lists in records and snapshots. Older servers do not send the list of dimmers. */
export const indexListShape = {
  ...forEachList(z.array(z.int())),
  dimmerIndexes: z.array(z.int()).optional()
}
type WrittenLists = Record<IndexListName, number[]>

export const hasLevel = (kind: OutletKind): kind is LevelKind => kindFacts[kind].hasLevel

/** Converts a level to a percentage. */
export const levelPercent = (level: number): number => Math.round((level / levelMax) * 100)

/** Returns the kind of the outlet at `index`. */
export function kindAt(lists: IndexLists, index: number): OutletKind {
  for (const kind of outletKinds) {
    const { listedIn } = kindFacts[kind]
    if (listedIn !== null && lists[listedIn]?.includes(index) === true) return kind
  }
  return 'switch'
}

export function kindsOf(count: number, lists: IndexLists): OutletKind[] {
  return Array.from({ length: count }, (_, index) => kindAt(lists, index))
}

/** Returns every list; absent ones are empty. */
export const everyList = (lists: IndexLists): WrittenLists => ({
  fanIndexes: [...(lists.fanIndexes ?? [])],
  socketIndexes: [...(lists.socketIndexes ?? [])],
  dimmerIndexes: [...(lists.dimmerIndexes ?? [])]
})

/** Returns the indexes of the outlets of one kind. */
export function indexesOf(kind: OutletKind, outlets: readonly Outlet[]): number[] {
  const indexes: number[] = []
  outlets.forEach((outlet, index) => {
    if (outlet.kind === kind) indexes.push(index)
  })
  return indexes
}

/** Returns the lists of kinds with a level, so that a report can be interpreted without knowing the board. */
export function levelListsOf(outlets: readonly Outlet[]) {
  const dimmerIndexes = indexesOf('dimmer', outlets)
  return { fanIndexes: indexesOf('fan', outlets), ...(dimmerIndexes.length > 0 && { dimmerIndexes }) }
}

/** Returns an outlet with its new state, without a level where its kind has none. */
export function outletOf(kind: OutletKind, on: boolean, level: number): Outlet {
  return hasLevel(kind) ? { kind, on, level } : { kind, on }
}

/** Returns outlets in factory state. */
export const newOutlets = (kinds: readonly OutletKind[]): Outlet[] => kinds.map((kind) => outletOf(kind, false, 0))

export function outletsFromWire({ switch: states, speed, ...lists }: StatesOnWire & IndexLists): Outlet[] {
  return states.map((on, index) => outletOf(kindAt(lists, index), on, speed[index] ?? 0))
}

export function statesToWire(outlets: readonly Outlet[]): { switch: boolean[]; speed: number[] } {
  return { switch: outlets.map(({ on }) => on), speed: outlets.map(({ level }) => level ?? 0) }
}

export function outletsToWire(outlets: readonly Outlet[]): { switch: boolean[]; speed: number[] } & WrittenLists {
  return {
    ...statesToWire(outlets),
    fanIndexes: indexesOf('fan', outlets),
    socketIndexes: indexesOf('socket', outlets),
    dimmerIndexes: indexesOf('dimmer', outlets)
  }
}

/** Returns the outlets with the reported states. Unchanged outlets stay the same objects. */
export function withStates<Known extends Outlet>(outlets: readonly Known[], states: StatesOnWire): Known[] {
  return outlets.map((outlet, index) => {
    const on = states.switch[index] ?? outlet.on
    const level = outlet.level === undefined ? undefined : (states.speed[index] ?? outlet.level)
    if (on === outlet.on && level === outlet.level) return outlet
    return level === undefined ? { ...outlet, on } : { ...outlet, on, level }
  })
}

/** Whether two states of one outlet differ. */
export const differs = (a: Outlet, b: Outlet): boolean => a.on !== b.on || a.level !== b.level
