import { z } from 'zod'
import { levelMax } from './constants.ts'

/** What can hang on one terminal of a board. */
export const outletKinds = ['switch', 'fan', 'socket', 'dimmer'] as const
export type OutletKind = (typeof outletKinds)[number]

interface KindFacts {
  /** Beside on and off it has a level, 0 to 255: the speed of a fan, the brightness of a dimmed lamp. */
  hasLevel: boolean
  /** The list that names the outlets of this kind on the wire; null for the kind of those that no list names. */
  listedIn: string | null
}

/** What sets the kinds apart. A new kind begins here: what else has to know of it does not compile until it does. */
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
/** Which outlets are of which kind, as the wire says it. A list that is absent is empty. */
export type IndexLists = { readonly [Name in IndexListName]?: readonly number[] | undefined }

/** One outlet of a board. `level` is there for the kinds that have one, whether it is on or not. */
export interface Outlet {
  readonly kind: OutletKind
  readonly on: boolean
  readonly level?: number
}

/** How all outlets of a board stand, as reports and screens get it: `speed` is the level, 0 where there is none. */
export interface StatesOnWire {
  readonly switch: readonly boolean[]
  readonly speed: readonly number[]
}

export const indexListNames: readonly IndexListName[] = outletKinds.flatMap((kind) => kindFacts[kind].listedIn ?? [])
/** The same thing for every list: a schema, a column. */
export const forEachList = <Thing>(thing: Thing): Record<IndexListName, Thing> => ({
  fanIndexes: thing,
  socketIndexes: thing,
  dimmerIndexes: thing
})
/** The lists in records and snapshots. Older servers do not know the list of the dimmers. */
export const indexListShape = {
  ...forEachList(z.array(z.int())),
  dimmerIndexes: z.array(z.int()).optional()
}
type WrittenLists = Record<IndexListName, number[]>

export const hasLevel = (kind: OutletKind): kind is LevelKind => kindFacts[kind].hasLevel

/** A level as a share of the whole. */
export const levelPercent = (level: number): number => Math.round((level / levelMax) * 100)

/** What the outlet at `index` is. */
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

/** Every list, those that are absent as empty ones. */
export const everyList = (lists: IndexLists): WrittenLists => ({
  fanIndexes: [...(lists.fanIndexes ?? [])],
  socketIndexes: [...(lists.socketIndexes ?? [])],
  dimmerIndexes: [...(lists.dimmerIndexes ?? [])]
})

/** Where the outlets of one kind are. */
export function indexesOf(kind: OutletKind, outlets: readonly Outlet[]): number[] {
  const indexes: number[] = []
  outlets.forEach((outlet, index) => {
    if (outlet.kind === kind) indexes.push(index)
  })
  return indexes
}

/** The lists of what has a level: with them a report makes sense to who knows nothing else of its board. */
export function levelListsOf(outlets: readonly Outlet[]) {
  const dimmerIndexes = indexesOf('dimmer', outlets)
  return { fanIndexes: indexesOf('fan', outlets), ...(dimmerIndexes.length > 0 && { dimmerIndexes }) }
}

/** An outlet with its new state; the level of a kind that has none is left out. */
export function outletOf(kind: OutletKind, on: boolean, level: number): Outlet {
  return hasLevel(kind) ? { kind, on, level } : { kind, on }
}

/** Outlets as they leave the factory. */
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

/** The same outlets as a report says that they stand. Those that stand as before are the same objects. */
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
