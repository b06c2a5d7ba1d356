import { kindFacts, outletKinds, type FieldFault, type IndexListName, type IndexLists } from '@batti/contracts'

/** How many outlets a device type has, and of which kinds. */
export interface OutletLayout extends IndexLists {
  numberOfSwitches: number
  numberOfFans: number
  numberOfSockets: number
}

/** How many outlets a list must name, if the layout says so. */
const countOf: Record<IndexListName, (layout: OutletLayout) => number | null> = {
  fanIndexes: ({ numberOfFans }) => numberOfFans,
  socketIndexes: ({ numberOfSockets }) => numberOfSockets,
  dimmerIndexes: () => null
}

/** The kinds that have a list, each with its list. */
const listed = outletKinds.flatMap((kind) => {
  const { listedIn } = kindFacts[kind]
  return listedIn === null ? [] : [{ kind, path: listedIn }]
})

/** Returns the faults of a layout. `numberOfSwitches` counts all outlets; the lists name those that are not plain switches. */
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

/** Refuses outlets that are named in two lists. */
function faultsBetween(layout: OutletLayout): FieldFault[] {
  return listed.flatMap(({ path }, at) =>
    listed.slice(0, at).flatMap((earlier): FieldFault[] => {
      const both = layout[path]?.find((index) => layout[earlier.path]?.includes(index))
      return both === undefined ? [] : [{ path, message: `must not name a ${earlier.kind}: ${both} is one` }]
    })
  )
}
