import type { KeyValueStorage } from '#web/lib/storage.ts'

/** The centre of the floating pill, as fractions of the window, so that it fits another window size. */
export interface PillPlace {
  x: number
  y: number
}

interface Size {
  width: number
  height: number
}

const edge = 4
const key = 'quickNav'
const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), Math.max(low, high))

/** The place until somebody moves it: at the bottom. Beside the side bar it is docked instead. */
const ownPlace: PillPlace = { x: 0.5, y: 0.94 }

/** Returns the stored place, or the default one. */
export function readPillPlace(storage: KeyValueStorage): PillPlace {
  const stored = /^(\d[\d.]*),(\d[\d.]*)$/.exec(storage.getItem(key) ?? '')
  const [x, y] = [Number(stored?.[1]), Number(stored?.[2])]
  return Number.isFinite(x) && Number.isFinite(y) ? { x: clamp(x, 0, 1), y: clamp(y, 0, 1) } : ownPlace
}

export const isPillMoved = (storage: KeyValueStorage): boolean => storage.getItem(key) !== null

export function writePillPlace(storage: KeyValueStorage, { x, y }: PillPlace): void {
  storage.setItem(key, `${x.toFixed(4)},${y.toFixed(4)}`)
}

/** Returns the nearest place at which the whole pill is inside the window, 4 px from its edges. */
export function keepInside(place: PillPlace, pill: Size, page: Size): PillPlace {
  const halfX = (pill.width / 2 + edge) / page.width
  const halfY = (pill.height / 2 + edge) / page.height
  return { x: clamp(place.x, halfX, 1 - halfX), y: clamp(place.y, halfY, 1 - halfY) }
}

const steps: Record<string, readonly [dx: number, dy: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1]
}

/** Returns the place after an arrow key, which moves it by 24 px; null for any other key. */
export function placeAfterKey(place: PillPlace, pressed: string, page: Size): PillPlace | null {
  const step = steps[pressed]
  return step ? { x: place.x + (step[0] * 24) / page.width, y: place.y + (step[1] * 24) / page.height } : null
}
