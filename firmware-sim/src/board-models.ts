import type { LevelKind } from '@batti/contracts'

/** The level that a hand at the wall gives an outlet that never had one: what is switched on should turn, or shine. */
export const firstLevel: Record<LevelKind, number> = { fan: 120, dimmer: 255 }

/** The version every board leaves the factory with; it is in the chip and cannot be lost. */
export const factoryVersion = '1.4.0'
