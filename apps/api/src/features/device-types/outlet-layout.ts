import { kindFacts, outletKinds, type FieldFault, type IndexListName, type IndexLists } from '@batti/contracts'

/** How many outlets a kind of board has, and what they are. */
export interface OutletLayout extends IndexLists {
  numberOfSwitches: number
  numberOfFans: number
  numberOfSockets: number
}

/** How many outlets a list must name, where the layout says so. */
const countOf: Record<IndexListName, (layout: OutletLayout) => number | null> = {
  fanIndexes: ({ numberOfFans }) => numberOfFans,
  socketIndexes: ({ numberOfSockets }) => numberOfSockets,
  dimmerIndexes: () => null
}

/** The kinds that a list names, each with its list. */
const listed = outletKinds.flatMap((kind) => {
  const { listedIn } = kindFacts[kind]
  return listedIn === null ? [] : [{ kind, path: listedIn }]
})

/**
 * What is wrong with a layout; empty when nothing. `numberOfSwitches` counts all outlets; the lists name those among them
 * that are something else than a switch.
 */
export function faultsOfLayout(layout: OutletLayout): FieldFault[] {
  const counts = listed.flatMap(({ kind, path }): FieldFault[] => {
    const count = countOf[path](layout)
    if (count === null || count === (layout[path] ?? []).length) return []
    return [{ path, message: `Number of ${kind} indexes must exactly match number of ${kind}s (${count})` }]
  })
  return [...counts, ...listed.flatMap(({ path }) => faultsOfList(path, layout)), ...faultsBetween(layout)]
}

function faultsOfList(path: IndexListName, layout: OutletLayout): FieldFault[] {
  const { numberOfSwitches: all, [path]: indexes = [] } = layout
  const beyond = indexes.find((index) => index >= all)
  return [
    ...(new Set(indexes).size === indexes.length ? [] : [{ path, message: 'must not name an outlet twice' }]),
    ...(beyond === undefined
      ? []
      : [{ path, message: `must be below ${all}, the number of outlets: ${beyond} is not` }])
  ]
}

/** An outlet is of one kind. */
function faultsBetween(layout: OutletLayout): FieldFault[] {
  return listed.flatMap(({ path }, at) =>
    listed.slice(0, at).flatMap((earlier): FieldFault[] => {
      const both = layout[path]?.find((index) => layout[earlier.path]?.includes(index))
      return both === undefined ? [] : [{ path, message: `must not name a ${earlier.kind}: ${both} is one` }]
    })
  )
}
