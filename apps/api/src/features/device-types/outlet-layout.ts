import type { FieldFault } from '@batti/contracts'

/** How many outlets a kind of board has, and which of them are fans and sockets. */
export interface OutletLayout {
  numberOfSwitches: number
  numberOfFans: number
  numberOfSockets: number
  fanIndexes: readonly number[]
  socketIndexes: readonly number[]
}

/**
 * What is wrong with a layout; empty when nothing. `numberOfSwitches` counts all outlets; fans and sockets are the ones
 * among them that the indexes name. Sources: operations §5, contract-decisions §4.
 */
export function faultsOfLayout(layout: OutletLayout): FieldFault[] {
  const faults: FieldFault[] = []
  const { numberOfSwitches, numberOfFans, numberOfSockets, fanIndexes, socketIndexes } = layout
  if (fanIndexes.length !== numberOfFans) {
    faults.push({
      path: 'fanIndexes',
      message: `Number of fan indexes must exactly match number of fans (${numberOfFans})`
    })
  }
  if (socketIndexes.length !== numberOfSockets) {
    faults.push({
      path: 'socketIndexes',
      message: `Number of socket indexes must exactly match number of sockets (${numberOfSockets})`
    })
  }
  for (const [path, indexes] of [
    ['fanIndexes', fanIndexes],
    ['socketIndexes', socketIndexes]
  ] as const) {
    if (new Set(indexes).size !== indexes.length) faults.push({ path, message: 'must not name an outlet twice' })
    const beyond = indexes.find((index) => index >= numberOfSwitches)
    if (beyond !== undefined) {
      faults.push({ path, message: `must be below ${numberOfSwitches}, the number of outlets: ${beyond} is not` })
    }
  }
  const both = socketIndexes.find((index) => fanIndexes.includes(index))
  if (both !== undefined) faults.push({ path: 'socketIndexes', message: `must not name a fan: ${both} is one` })
  return faults
}
