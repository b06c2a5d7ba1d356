/** `npm run bench -- rollout`: measures how a rollout over many boards affects the taps of other users. */
import { createClient, type Client } from '@batti/client/client'
import { createRollout, getRollout, login, type RolloutRecord } from '@batti/contracts'
import { accountOf, type Product } from '@batti/launcher/testing/start-product'
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { startChild, type Child } from './child.ts'
import { fillProduct } from './fill/fill-product.ts'
import type { Toggled } from './load/load-generator.ts'
import { watchOthers } from './figures/machine-share.ts'
import { cpuMs } from './figures/process-usage.ts'
import { serversOf, startUnlimited } from './product.ts'
import type { Report } from './figures/report.ts'
import { percentile } from './figures/statistics.ts'
import type { UpdateCount } from './load/updating-boards.ts'

export interface RolloutOptions {
  /** Number of updated boards. The taps are on other boards. */
  boards: number
  atOnce: number
  say(line: string): void
}

const imageBytes = 1024 * 1024
const version = '1.5.0'
const people = 10
const tappedBoards = 50
/** An everyday rate of taps. */
const pace = { perSecond: 50, seconds: 10 }
const calmRounds = 3
/** Rounds in which other processes use a larger share of the machine than this are not representative. */
const undisturbed = 0.1
const proveS = 20
const endWithinMs = 40 * 60_000

/**
 * Measures toggles before, while and after boards download an image of 1 MB each, restart and prove it. The taps are on
 * boards outside the rollout, because a restarting board refuses them. All boards use the same broker and api.
 */
export async function measureRollout({ boards, atOnce, say }: RolloutOptions): Promise<Report> {
  const product = await startUnlimited({ FIRMWARE_PROVE_S: String(proveS) })
  const [load, updating] = [
    startChild(new URL('./load/load-generator.ts', import.meta.url)),
    startChild(new URL('./load/updating-boards.ts', import.meta.url))
  ]
  try {
    const { target } = await fillProduct(product, { users: people, boards: tappedBoards + boards })
    const [tapped, updated] = [target.boards.slice(0, tappedBoards), target.boards.slice(tappedBoards)]
    await load.ask({ do: 'connect', target: { ...target, boards: tapped } })
    await updating.ask({ do: 'connect', broker: target.broker, boards: updated })
    say(`${boards} boards are there, and ${tappedBoards} with lamps to tap`)
    for (const perSecond of [500, 50]) await load.ask<Toggled>({ do: 'toggle', perSecond, seconds: 5 })
    const othersShare = watchOthers([...serversOf(product), load.pid, updating.pid, process.pid])
    const rounds = async (what: string, count: number): Promise<Round[]> => {
      const done: Round[] = []
      while (done.length < count) {
        othersShare()
        const took = await tap(load)
        const others = othersShare()
        done.push({ took, others })
        say(`${what}: ${inMs(took)}; of the machine, others took ${(others * 100).toFixed(0)} %`)
      }
      return done
    }
    const calm = await rounds('calm', calmRounds)

    const admin = await adminClient(product)
    const started = { at: performance.now(), cpu: cpuOf(product) }
    const id = await startRollout(product, admin, { deviceIds: updated.map(({ deviceId }) => deviceId), atOnce })
    const busy: Round[] = []
    let record = await admin.client.call(getRollout, { params: { id } })
    // Boards that only wait for their proof cause no load.
    while (isSending(record)) {
      busy.push(...(await rounds(JSON.stringify(record.counts), 1)))
      record = await admin.client.call(getRollout, { params: { id } })
      if (performance.now() - started.at > endWithinMs) break
    }
    const sendingS = (performance.now() - started.at) / 1000
    const cpuAnUpdate = (cpuOf(product) - started.cpu) / boards
    while (record.state === 'running' && performance.now() - started.at < endWithinMs) {
      await pause(1000)
      record = await admin.client.call(getRollout, { params: { id } })
    }
    const after = await rounds('calm again', calmRounds)
    const count = await updating.ask<UpdateCount>({ do: 'count' })
    if (record.state !== 'done' || record.counts.done !== boards || count.sent !== boards)
      throw new Error(`The rollout did not end well: ${JSON.stringify({ ...record, count })}`)
    const [meanwhile, calmAll] = [tapsOf(busy), tapsOf([...calm, ...after])]
    const quiet = busy.filter(({ others }) => others <= undisturbed)
    const row = (what: string, share: number, ratio: number | null) => ({
      what,
      unit: 'ms',
      ours: percentile(meanwhile, share),
      against: percentile(calmAll, share),
      goal: ratio === null ? null : ({ ratio, is: 'atMost' } as const)
    })
    return {
      name: 'rollout',
      about: `${boards} boards take an image of 1 MB, ${atOnce} at once, while ${pace.perSecond} taps a second go to ${tappedBoards} others.`,
      against: 'calm',
      rows: [
        row('toggle during the rollout, p50', 0.5, null),
        row('toggle during the rollout, p99', 0.99, 3),
        { what: 'boards a second', unit: '/s', ours: boards / sendingS, against: null, goal: null },
        { what: 'server CPU a board', unit: 'ms', ours: cpuAnUpdate, against: null, goal: null }
      ],
      notes: [
        `Every board was sent one job and ended done; ${meanwhile.length} taps during the rollout, ${calmAll.length} before and after it.`,
        'Server CPU is that of api, broker and database, the taps meanwhile included.',
        `In ${quiet.length} of ${busy.length} rounds of ${pace.seconds} s others took at most ${undisturbed * 100} % of the machine: ${inMs(tapsOf(quiet))} in these. Calm before: ${inMs(tapsOf(calm))}; after: ${inMs(tapsOf(after))}.`
      ]
    }
  } finally {
    await Promise.all([load.stop(), updating.stop()])
    await product.stop()
  }
}

/** A round of taps for some seconds, with the CPU share of processes other than the product and the load generator. */
interface Round {
  took: number[]
  others: number
}

const tapsOf = (rounds: readonly Round[]): number[] => rounds.flatMap(({ took }) => took)

const inMs = (took: readonly number[]): string =>
  took.length === 0
    ? 'none'
    : `p50 ${percentile(took, 0.5).toFixed(1)} ms, p99 ${percentile(took, 0.99).toFixed(1)} ms, slowest ${Math.max(...took).toFixed(0)} ms`

async function tap(load: Child): Promise<number[]> {
  const { lost, refused, took } = await load.ask<Toggled>({ do: 'toggle', ...pace })
  if (lost > 0) throw new Error(`${lost} taps were not seen, ${refused} refused.`)
  return took
}

interface Admin {
  client: Client
  token: string
}

async function adminClient(product: Product): Promise<Admin> {
  const { email, password } = accountOf(product, 'admin')
  const client = createClient({ base: product.web })
  const { accessToken: token } = await client.call(login, { body: { email, password } })
  return { client: client.as(token), token }
}

async function startRollout(
  product: Product,
  { client, token }: Admin,
  { deviceIds, atOnce }: { deviceIds: string[]; atOnce: number }
): Promise<string> {
  const fileName = `wall-${version}.bin`
  const form = new FormData()
  form.append('firmware', new Blob([new Uint8Array(randomBytes(imageBytes))]), fileName)
  const answer = await fetch(`${product.web}/api/v1/device-firmware-files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form
  })
  if (!answer.ok) throw new Error(`The image was not taken: ${await answer.text()}`)
  const body = { fileName, target: { deviceIds }, stages: [{ percent: 100 }], atOnce }
  return (await client.call(createRollout, { body }))._id
}

const isSending = ({ state, counts }: RolloutRecord): boolean =>
  state === 'running' &&
  (['waiting', 'sent', 'download', 'verify', 'install', 'reboot'] as const).some((phase) => (counts[phase] ?? 0) > 0)

const cpuOf = (product: Product): number => serversOf(product).reduce((sum, pid) => sum + (cpuMs(pid) ?? Number.NaN), 0)
