import { createClient } from '@batti/client/client'
import { getAccount, getDevice, listActionLogs, type DeviceRecord } from '@batti/contracts'
import { freePort } from '@batti/kit/node/ports'
import { setTimeout as wait } from 'node:timers/promises'
import type { Api } from './apis.ts'
import type { ClusterBoard } from './cluster-board.ts'
import { openClusterScreen, type ClusterScreen } from './cluster-screen.ts'
import { commandsOf, countRows, same, type House } from './house.ts'
import { startHaproxy, until } from './programs.ts'

const rightWithinMs = 15_000
const normalAfterMs = 20_000
const requests = 2000

/** Taps at a given rate, on the screens in turn, until it is stopped. */
function load(screens: readonly ClusterScreen[], boards: readonly ClusterBoard[], perSecond: number) {
  let isStopped = false
  const results: { ok: boolean; id?: string }[] = []
  const wished = new Map<string, boolean>()
  const running = (async () => {
    for (let turn = 0; !isStopped; turn += 1) {
      const [screen, board] = [screens[turn % screens.length], boards[turn % boards.length]]
      if (screen === undefined || board === undefined) return
      const index = Math.floor(turn / boards.length) % 4
      const key = `${board.mac} ${index}`
      const state = wished.get(key) !== true
      wished.set(key, state)
      void screen.tap(board.mac, index, state).then(
        (answer) => results.push(answer),
        () => results.push({ ok: false })
      )
      await wait(1000 / perSecond)
    }
  })()
  return {
    async stop() {
      isStopped = true
      await running
      await wait(4500)
      return results
    }
  }
}

const isRight = (screen: ClusterScreen, boards: readonly ClusterBoard[]): boolean =>
  boards.every(({ mac, state }) => JSON.stringify(screen.shown.get(mac)) === JSON.stringify(state))

export async function redisAway(house: House, awayMs: number): Promise<string> {
  const { cluster, a, b, here, there, boards, token } = house
  const readyz = async (api: Api) => {
    const answer = await fetch(`${api.url}/readyz`)
    return { status: answer.status, ...((await answer.json()) as { degraded: string[] }) }
  }
  const running = load([here, there], boards, 20)
  await wait(3000)
  let slowest = 0
  for (const _ of [1, 2]) {
    await cluster.redisGoes()
    await until('both name Redis as away', async () => {
      const states = await Promise.all([a, b].map(readyz))
      return states.every(({ status, degraded }) => status === 200 && degraded.includes('redis'))
    })
    await wait(awayMs)
    await cluster.redisComes()
    const back = performance.now()
    await until(
      'both have Redis again',
      async () => {
        const states = await Promise.all([a, b].map(readyz))
        return states.every(({ degraded }) => degraded.length === 0)
      },
      rightWithinMs
    )
    await until(
      'screens were told anew',
      () => [here, there].every((screen) => screen.updates.some(({ commandId }) => commandId === undefined)),
      rightWithinMs
    )
    slowest = Math.max(slowest, performance.now() - back)
  }
  const results = await running.stop()
  await until(
    'every screen is right',
    () => [here, there].every((screen) => isRight(screen, boards)),
    rightWithinMs
  ).catch(async (error: unknown) => {
    for (const { mac, state, deviceId, unacknowledged } of boards) {
      const states = await Promise.all([a, b].map((api) => deviceAt(api, deviceId, token)))
      const list = [state, here.shown.get(mac), there.shown.get(mac), ...states.map((each) => each.switch)]
      console.log(
        `    ${mac}`,
        list.map((each) => each?.map(Number).join('')).join(' '),
        states.map(({ seq }) => seq),
        unacknowledged()
      )
    }
    throw error
  })
  same('told twice', [here.toldTwice(), there.toldTwice()], [[], []])
  const refused = results.filter(({ ok }) => !ok).length
  const seen = new Set(commandsOf(here))
  const missing = results.filter(({ id }) => id !== undefined && !seen.has(id)).length
  return `${results.length} taps, ${refused} refused, ${missing} not told at A, back ${Math.round(slowest)} ms after Redis`
}

export async function killOne(house: House): Promise<string> {
  const { cluster, there, boards } = house
  const third = await cluster.startApi()
  const doomed = await openClusterScreen(
    third.url,
    house.token,
    boards.map(({ mac }) => mac)
  )
  for (const board of boards) board.executed.length = 0
  const before = await countRows(house)
  const [ofOthers, ofSurvivor] = [load([doomed], boards, 5), load([there], boards, 15)]
  await wait(4000)
  await third.program.end('SIGKILL')
  await wait(normalAfterMs)
  doomed.close()
  await ofOthers.stop()
  const results = await ofSurvivor.stop()
  await until('no report waits', () => boards.every((board) => board.unacknowledged() === 0), 60_000)
  const answered = results.filter(({ ok }) => ok)
  if (answered.length < results.length) throw new Error(`${results.length - answered.length} taps were not answered`)
  const told = new Set(commandsOf(there))
  const confirmed = answered.filter(({ id }) => id !== undefined && told.has(id)).length
  if (confirmed < results.length * 0.98) throw new Error(`${confirmed} of ${results.length} were confirmed`)
  const { executed, rows } = await everyExecutedIsLogged(house, before)
  return `${confirmed} of ${results.length} taps at the survivor confirmed, ${executed} executed, ${rows} rows`
}

async function everyExecutedIsLogged({ b, token, boards }: House, before: number) {
  const reader = createClient({ base: b.url, token })
  const executed = new Set(boards.flatMap((board) => board.executed))
  const logged = new Set<string>()
  for (let page = 1; logged.size < executed.size && page <= 20; page += 1) {
    const { logs } = await reader.call(listActionLogs, { query: { limit: 500, page } })
    if (logs.length === 0) break
    for (const { commandId } of logs) if (commandId !== null) logged.add(commandId)
  }
  const missing = [...executed].filter((id) => !logged.has(id)).length
  if (missing > 0) throw new Error(`${executed.size} were executed and ${missing} of them are not in the log`)
  const rows = (await countRows({ b, token })) - before
  return { executed: executed.size, rows }
}

const deviceAt = ({ url }: Api, id: string, token: string): Promise<DeviceRecord> =>
  createClient({ base: url, token }).call(getDevice, { params: { id } })

/** Kills the leading node. Its clients must connect to another one. */
export async function killNode(house: House): Promise<string> {
  const { cluster, a, b, boards, here, there, token } = house
  const leader = cluster.programs.get('rmqtt-1')
  if (leader === undefined) throw new Error('there is no first node')
  for (const board of boards) board.executed.length = 0
  const before = await countRows(house)
  const running = load([here, there], boards, 20)
  await wait(4000)
  await leader.end('SIGKILL')
  const killed = performance.now()
  const lost = boards.filter((board) => !board.isConnected()).length
  const seconds = (): string => ((performance.now() - killed) / 1000).toFixed(1)
  await until('every board is connected again', () => boards.every((board) => board.isConnected()), 60_000)
  const connected = seconds()
  const knows = async (api: Api): Promise<boolean> => {
    if (!(await fetch(`${api.url}/readyz`)).ok) return false
    const known = await Promise.all(boards.map(({ deviceId }) => deviceAt(api, deviceId, token)))
    return known.every(({ isOnline }) => isOnline)
  }
  await until('both apis are ready and have every board', async () => (await knows(a)) && (await knows(b)), 60_000)
  for (const screen of [here, there])
    for (const board of boards) await until('a tap is confirmed', () => isConfirmed(screen, board), 60_000)
  const again = seconds()
  const results = await running.stop()
  await until('no report waits', () => boards.every((board) => board.unacknowledged() === 0), 60_000)
  const { executed, rows } = await everyExecutedIsLogged(house, before)
  await until('every screen is right', () => [here, there].every((screen) => isRight(screen, boards)), rightWithinMs)
  same('told twice', [here.toldTwice(), there.toldTwice()], [[], []])
  const told = new Set(commandsOf(here))
  const confirmed = results.filter(({ id }) => id !== undefined && told.has(id)).length
  return `${lost} of ${boards.length} boards lost their line, all were back after ${connected} s, every tap confirmed after ${again} s; ${confirmed} of ${results.length} taps confirmed, ${executed} executed, ${rows} rows`
}

async function isConfirmed(screen: ClusterScreen, board: ClusterBoard): Promise<boolean> {
  const { ok, id } = await screen.tap(board.mac, 0, board.state[0] !== true)
  if (!ok || id === undefined) return false
  await until('it is told', () => commandsOf(screen).includes(id), 2000)
  return true
}

/** A second SIGTERM must skip the drain. */
export async function secondTerm({ cluster }: House): Promise<void> {
  const { url, program } = await cluster.startApi({ DRAIN_MS: '60000' })
  program.process.kill('SIGTERM')
  await until('it is on its way out', async () => (await fetch(`${url}/readyz`)).status === 503)
  same('it goes on being served', (await fetch(`${url}/healthz`)).status, 200)
  program.process.kill('SIGTERM')
  await until('it has ended', () => program.process.exitCode !== null, 5000)
}

export async function rollingStop(house: House): Promise<string> {
  const { cluster, a, token, here } = house
  const extra = await cluster.startApi({ DRAIN_MS: '3000' })
  const port = await freePort()
  cluster.programs.set('haproxy', await startHaproxy({ dir: cluster.dir, port, apis: [a.port, extra.port] }))
  const url = `http://127.0.0.1:${port}`
  await until('HAProxy serves', async () => (await fetch(`${url}/healthz`)).ok)
  await wait(1500)
  let [lost, done] = [0, 0]
  const reader = createClient({ base: url, token })
  const worker = async (): Promise<void> => {
    while (done < requests) {
      done += 1
      await reader.call(getAccount).catch(() => (lost += 1))
      await wait(20)
    }
  }
  const stopping = wait(1000).then(() => extra.program.end('SIGTERM'))
  await Promise.all([...Array.from({ length: 8 }, worker), stopping])
  same('requests that were lost', lost, 0)
  same('sockets of the other instance stay', here.isConnected(), true)
  return `${done} requests, ${lost} lost`
}
