import type { OutletKind } from './outlets.ts'

export interface BoardType {
  readonly deviceCode: string
  readonly hwModel: string
  readonly deviceName: string
  readonly description: string
  /** The product name on its box. */
  readonly title: string
  readonly outlets: readonly OutletKind[]
}

/** The board types that an empty server knows and the simulator builds, by `deviceCode`. */
export const boardTypes = {
  BT4: {
    deviceCode: 'BT4',
    hwModel: 'batti-wall-4',
    deviceName: 'Wall 4',
    description: 'Wall board with four switches',
    title: 'Wall switch, 4 gang',
    outlets: ['switch', 'switch', 'switch', 'switch']
  },
  BTF: {
    deviceCode: 'BTF',
    hwModel: 'batti-wall-fan',
    deviceName: 'Wall fan',
    description: 'Wall board with two switches, a fan and a socket',
    title: 'Wall switch with fan and socket',
    outlets: ['switch', 'switch', 'fan', 'socket']
  },
  BTS: {
    deviceCode: 'BTS',
    hwModel: 'batti-strip',
    deviceName: 'Strip',
    description: 'Strip of four sockets',
    title: 'Socket strip',
    outlets: ['socket', 'socket', 'socket', 'socket']
  },
  BT1: {
    deviceCode: 'BT1',
    hwModel: 'batti-single',
    deviceName: 'Single',
    description: 'Single switch',
    title: 'Single switch',
    outlets: ['switch']
  },
  BTD: {
    deviceCode: 'BTD',
    hwModel: 'batti-dimmer',
    deviceName: 'Dimmer',
    description: 'Wall board with two dimmers and two switches',
    title: 'Wall switch with two dimmers',
    outlets: ['dimmer', 'dimmer', 'switch', 'switch']
  }
} as const satisfies Record<string, BoardType>

export type BoardTypeCode = keyof typeof boardTypes
export const isBoardTypeCode = (text: string): text is BoardTypeCode => Object.hasOwn(boardTypes, text)
export const boardTypeCodes = Object.keys(boardTypes).filter(isBoardTypeCode)
