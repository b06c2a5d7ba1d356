/** What hangs on one terminal of a board. */
export type OutletKind = 'switch' | 'fan' | 'socket'

export type BoardModel = {
  readonly deviceCode: string
  readonly hwModel: string
  readonly title: string
  readonly outlets: readonly OutletKind[]
}

/** The four board types that an empty server knows, by `deviceCode`. Source: wire §1. */
export const boardModels = {
  BT4: {
    deviceCode: 'BT4',
    hwModel: 'batti-wall-4',
    title: 'Wall switch, 4 gang',
    outlets: ['switch', 'switch', 'switch', 'switch']
  },
  BTF: {
    deviceCode: 'BTF',
    hwModel: 'batti-wall-fan',
    title: 'Wall switch with fan and socket',
    outlets: ['switch', 'switch', 'fan', 'socket']
  },
  BTS: {
    deviceCode: 'BTS',
    hwModel: 'batti-strip',
    title: 'Socket strip',
    outlets: ['socket', 'socket', 'socket', 'socket']
  },
  BT1: { deviceCode: 'BT1', hwModel: 'batti-single', title: 'Single switch', outlets: ['switch'] }
} as const satisfies Record<string, BoardModel>

export type ModelCode = keyof typeof boardModels
export const modelCodes = ['BT4', 'BTF', 'BTS', 'BT1'] as const satisfies readonly ModelCode[]

export function isModelCode(text: string): text is ModelCode {
  return modelCodes.some((code) => code === text)
}

/** Speed that a hand at the wall gives a fan that has never turned: one that is switched on should turn. */
export const firstFanSpeed = 120

/** The version every board leaves the factory with; it is in the chip and cannot be lost. */
export const factoryVersion = '1.4.0'
