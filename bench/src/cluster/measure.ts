/** `npm run bench -- cluster`: the cost of a toggle with one and two apis, starts with many boards online, and the adapter. */
import { randomBytes, randomInt } from 'node:crypto'
import { ObjectId } from 'mongodb'
import { connectAsync } from 'mqtt'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { macOf } from '../fill/mac-of.ts'
import { cpuMs, residentKib } from '../figures/process-usage.ts'
import type { Report, Row } from '../figures/report.ts'
import { median, percentile } from '../figures/statistics.ts'
import { storedBoard } from '../fill/stored-board.ts'
import { insertRows, withDatabase } from '../fill/with-database.ts'
import { logIn } from './apis.ts'
import { startCluster, type Cluster } from './cluster.ts'
import { connectClusterBoard } from './cluster-board.ts'
import { openClusterScreen } from './cluster-screen.ts'
import { until } from './programs.ts'
import { withTwoInstances } from './two-instances.ts'

/** The load of 100,000 boards on a busy evening, see docs/scale.md. */
const togglesPerSecond = 140
const boardsOfToggles = 40
const idleS = 5
/** Each process first compiles its code. That happens once and is not part of the cost of a toggle. */
const warmUpS = 30
const rounds = 3
const startGoalMs = 5000
const boardGoalKib = 8
const outlets = 4
const statusesPerSecond = 1500

const cpuOf = ({ apis }: Cluster): number =>
  apis.reduce((sum, { program }) => sum + (cpuMs(program.process.pid ?? 0) ?? 0), 0)

interface Cost {
  aToggle: number
  idleASecond: number
}

/** Measures the CPU time of all apis, in milliseconds: per toggle, with a screen at each api, and per idle second. */
async function cpuOfToggles(apis: number, seconds: number): Promise<Cost> {
  const cluster = await startCluster({ apis, boards: boardsOfToggles })
  try {
    const [first] = cluster.apis
    if (first === undefined) throw new Error('no api')
    const token = await logIn(first.url, cluster.admin)
    const boards = await Promise.all(cluster.boards.map((board) => connectClusterBoard(cluster.mqtt, board)))
    const half = boards.length / 2
    // The same number of screens and boards for one api as for two.
    const places = await Promise.all(
      [boards.slice(0, half), boards.slice(half)].map(async (own, index) => {
        const api = cluster.apis[index % apis] ?? first
        return {
          own,
          screen: await openClusterScreen(
            api.url,
            token,
            own.map(({ mac }) => mac)
          )
        }
      })
    )
    async function toggleFor(forS: number): Promise<number> {
      let sent = 0
      const startedAt = performance.now()
      while (sent < forS * togglesPerSecond) {
        // At random: with taps in turn, a round-robin broker would send all answers to the right api, or all to the wrong one.
        const place = places[randomInt(places.length)]
        const board = place?.own[randomInt(half)]
        const index = randomInt(outlets)
        if (board !== undefined) void place?.screen.tap(board.mac, index, board.state[index] !== true)
        sent += 1
        await wait(Math.max(0, startedAt + (sent * 1000) / togglesPerSecond - performance.now()))
      }
      return sent
    }
    await toggleFor(warmUpS)
    const before = cpuOf(cluster)
    const sent = await toggleFor(seconds)
    await wait(500)
    const aToggle = (cpuOf(cluster) - before) / sent
    const idleFrom = cpuOf(cluster)
    await wait(idleS * 1000)
    const idleASecond = (cpuOf(cluster) - idleFrom) / idleS
    for (const board of boards) board.close()
    for (const { screen } of places) screen.close()
    return { aToggle, idleASecond }
  } finally {
    await cluster.stop()
  }
}

/** Inserts boards with their switches directly into the database. Returns their ids. */
async function fill(uri: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => new ObjectId())
  const now = new Date()
  await withDatabase({ uri }, async (database) => {
    await insertRows(database, 'devices', count, (index) => ({
      _id: ids[index],
      ...storedBoard({ deviceMac: macOf(1_000_000 + index), setName: `Board ${index}` }, now)
    }))
    await insertRows(database, 'switches', count * outlets, (index) => ({
      deviceId: ids[Math.floor(index / outlets)],
      switchIndex: index % outlets,
      switchName: `Switch ${(index % outlets) + 1}`,
      createdAt: now,
      updatedAt: now
    }))
  })
  return ids.map(String)
}

/** Measures a start with `count` boards online, and the memory of one board once it has reported. */
async function startWith(count: number, say: (line: string) => void): Promise<{ readyMs: number; kibABoard: number }> {
  const loadPassword = randomBytes(16).toString('hex')
  const cluster = await startCluster({ apis: 1, boards: 0, loadPassword })
  try {
    const [first] = cluster.apis
    await first?.program.end('SIGTERM')
    const ids = await fill(cluster.databaseUri, count)
    say(`${count} boards are in the database`)
    const startedAt = performance.now()
    const api = await cluster.startApi()
    const readyMs = performance.now() - startedAt
    say(`ready after ${Math.round(readyMs)} ms`)
    const pid = api.program.process.pid ?? 0
    const load = await connectAsync(cluster.mqtt.url, {
      protocolVersion: 4,
      username: 'load',
      password: loadPassword
    })
    const speak = async (some: readonly string[]): Promise<void> => {
      const status = JSON.stringify({ online: true, bootId: 'boot-1234', conn: 1, rssi: -61 })
      const begun = performance.now()
      for (const [index, id] of some.entries()) {
        load.publish(`d/${id}/up/status`, status)
        if (index % 50 === 0) await wait(Math.max(0, begun + (index * 1000) / statusesPerSecond - performance.now()))
      }
      await wait(4000)
    }
    // The first tenth is for warm-up.
    const warm = Math.floor(count / 10)
    await wait(8000)
    await speak(ids.slice(0, warm))
    const before = residentKib(pid) ?? 0
    await speak(ids.slice(warm))
    const kibABoard = ((residentKib(pid) ?? 0) - before) / (count - warm)
    await load.endAsync()
    return { readyMs, kibABoard }
  } finally {
    await cluster.stop()
  }
}

/** Measures events per second from one instance to another, and the latency at 500 per second. */
const adapter = (): Promise<{ perSecond: number; p99: number }> =>
  withTwoInstances(async (one, other) => {
    const took: number[] = []
    let heard = 0
    other.on('event', z.object({ at: z.number(), payload: z.string() }), ({ at }) => {
      heard += 1
      took.push(performance.now() - at)
    })
    const payload = 'x'.repeat(400)
    for (let sent = 0; sent < 2500; sent += 1) {
      one.publish('event', { at: performance.now(), payload })
      if (sent % 5 === 4) await wait(10)
    }
    await until('all have come', () => heard === 2500)
    const p99 = percentile(took, 0.99)
    const begun = performance.now()
    const many = 50_000
    for (let sent = 0; sent < many; sent += 1) {
      one.publish('event', { at: 0, payload })
      if (sent % 100 === 99) await new Promise((resolve) => setImmediate(resolve))
    }
    await until('all have come', () => heard === 2500 + many)
    return { p99, perSecond: (many * 1000) / (performance.now() - begun) }
  })

export async function measureCluster(options: {
  seconds: number
  boards: readonly number[]
  say(line: string): void
}): Promise<Report> {
  const { seconds, boards, say } = options
  const rows: Row[] = []
  // Alternate, and take medians: the speed of a shared machine may differ by a factor of two between minutes.
  const alone: Cost[] = []
  const both: Cost[] = []
  for (let round = 1; round <= rounds; round += 1) {
    alone.push(await cpuOfToggles(1, seconds))
    both.push(await cpuOfToggles(2, seconds))
    say(
      `round ${round}: ${alone.at(-1)?.aToggle.toFixed(2)} ms of CPU a toggle, two apis ${both.at(-1)?.aToggle.toFixed(2)} ms`
    )
  }
  const middle = (costs: readonly Cost[], of: keyof Cost): number => median(costs.map((cost) => cost[of]))
  rows.push({
    what: 'CPU of the apis a toggle, two of them (against one)',
    unit: 'ms',
    ours: middle(both, 'aToggle'),
    against: middle(alone, 'aToggle'),
    goal: { ratio: 1.3, is: 'atMost' }
  })
  rows.push({
    what: 'CPU of the apis in a second without work, two of them (against one)',
    unit: 'ms',
    ours: middle(both, 'idleASecond'),
    against: middle(alone, 'idleASecond'),
    goal: null
  })
  const { perSecond, p99 } = await adapter()
  rows.push({ what: 'events through Redis', unit: '/s', ours: perSecond, against: null, goal: null })
  rows.push({ what: 'an event at 500 a second, p99', unit: 'ms', ours: p99, against: null, goal: null })
  for (const count of boards) {
    const { readyMs, kibABoard } = await startWith(count, say)
    const goal = { ratio: 1, is: 'atMost' as const }
    rows.push({ what: `ready with ${count} boards online`, unit: 'ms', ours: readyMs, against: startGoalMs, goal })
    rows.push({ what: `a silent board of ${count}`, unit: 'KiB', ours: kibABoard, against: boardGoalKib, goal })
  }
  const about = `Two apis, Redis, Mosquitto with \`$share\`, and the embedded engine on this machine; ${togglesPerSecond} toggles a second.`
  return { name: 'cluster', about, against: 'held against', rows }
}
