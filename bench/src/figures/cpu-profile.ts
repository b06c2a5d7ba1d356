/** One function of a CPU profile and its time, milliseconds. */
export interface Hotspot {
  where: string
  selfMs: number
  /** Including everything that it called. */
  totalMs: number
}

interface ProfileNode {
  id: number
  callFrame: { functionName: string; url: string; lineNumber: number }
  children?: number[]
}

export interface CpuProfile {
  nodes: ProfileNode[]
  samples: number[]
  timeDeltas: number[]
}

/** Sums up a profile by function, so that a function that is called from two places is one line. */
export function hotspots({ nodes, samples, timeDeltas }: CpuProfile): Hotspot[] {
  const selfUs = new Map<number, number>()
  for (const [index, id] of samples.entries()) selfUs.set(id, (selfUs.get(id) ?? 0) + (timeDeltas[index] ?? 0))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const found = new Map<string, Hotspot>()

  /** Sums up the subtree of `node`. The time of a recursive function counts once. */
  function visit(node: ProfileNode, above: ReadonlySet<string>): number {
    const where = nameOf(node)
    const spot = found.get(where) ?? { where, selfMs: 0, totalMs: 0 }
    found.set(where, spot)
    const own = (selfUs.get(node.id) ?? 0) / 1000
    const within = above.has(where) ? above : new Set([...above, where])
    let total = own
    for (const id of node.children ?? []) {
      const child = byId.get(id)
      if (child !== undefined) total += visit(child, within)
    }
    spot.selfMs += own
    if (!above.has(where)) spot.totalMs += total
    return total
  }
  const [root] = nodes
  if (root !== undefined) visit(root, new Set())
  return [...found.values()]
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const name = functionName === '' ? '(anonymous)' : functionName
  if (url === '') return name
  const file = url.replace(/^file:\/\//, '').replace(/^.*\/(?=(?:node_modules|apps|packages|firmware-sim)\/)/, '')
  return `${name} ${file}:${lineNumber + 1}`
}
