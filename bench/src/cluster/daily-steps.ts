import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@batti/client/client'
import { createSchedule, deleteDevice, getSwitchByDevice, logout, updateDevice } from '@batti/contracts'
import { pino } from 'pino'
import { createBrokerApi } from '../../../apps/api/src/boards/hooks/broker-api.ts'
import { readConfig } from '../../../apps/api/src/platform/config.ts'
import { logIn } from './apis.ts'
import type { MqttAddress } from './cluster.ts'
import { connectClusterBoard } from './cluster-board.ts'
import { openClusterScreen } from './cluster-screen.ts'
import { commandsOf, countRows, same, type House } from './house.ts'
import { until } from './programs.ts'

/** Taps one after another. Each must appear once on both screens, and as one row. */
export async function taps(house: House, count: number): Promise<void> {
  const { here, there, boards } = house
  const before = await countRows(house)
  const ids: string[] = []
  for (let turn = 0; turn < count; turn += 1) {
    const board = boards[turn % boards.length]
    const screen = turn % 2 === 0 ? here : there
    if (board === undefined) continue
    const index = Math.floor(turn / boards.length) % 4
    // A tap inverts the present state, so the earlier tap must have reached the board first.
    const earlier = ids[turn - boards.length * 4]
    if (earlier !== undefined) await until('the tap before is carried out', () => board.executed.includes(earlier))
    const answer = await screen.tap(board.mac, index, board.state[index] !== true)
    if (!answer.ok || answer.id === undefined) throw new Error(`tap ${turn} was refused: ${JSON.stringify(answer)}`)
    ids.push(answer.id)
  }
  for (const screen of [here, there])
    await until('every tap is seen', () => ids.every((id) => commandsOf(screen).includes(id)), 10_000)
  await until('every row is there', async () => (await countRows(house)) === before + count, 10_000)
  await wait(500)
  same('told twice', [here.toldTwice(), there.toldTwice()], [[], []])
  same('rows', await countRows(house), before + count)
}

export async function presence({ vanishing: board, here, there }: House): Promise<void> {
  const turns = () => [here, there].map((screen) => screen.turns.filter((isOnline) => !isOnline).length)
  const before = turns()
  board.vanish()
  await until('both screens see it go', () => [here, there].every((screen) => screen.isOnline.get(board.mac) === false))
  await wait(500)
  same(
    'told once',
    turns(),
    before.map((count) => count + 1)
  )
}

export async function foreignTopics({ curious, boards }: House): Promise<void> {
  const [other] = boards
  if (other === undefined) return
  const heard = curious.topics.length
  await curious.subscribe(`d/${other.deviceId}/down/+`)
  await curious.subscribe('#')
  curious.publish(`d/${other.deviceId}/up/status`, JSON.stringify({ online: false, bootId: 'stranger-1', conn: 99 }))
  other.press(0)
  await until('the other board is acknowledged', () => other.unacknowledged() === 0)
  await wait(300)
  same('heard of another board', curious.topics.slice(heard), [])
}

/** A wrong password must be refused: the name alone is not enough. */
export async function wrongPassword({ cluster }: House): Promise<void> {
  const [board] = cluster.boards
  if (board === undefined) return
  same('a wrong password', await isLetIn(cluster.mqtt, { ...board, password: 'x'.repeat(43) }), false)
}

/** While no api is alive nobody may connect, however the broker handles a proxy's 503. */
export async function apisAway({ cluster, a, b }: House): Promise<void> {
  const [board] = cluster.boards
  if (board === undefined) return
  for (const { program } of [a, b]) program.process.kill('SIGSTOP')
  try {
    await wait(3000)
    same('let in while no api lives', await isLetIn(cluster.mqtt, { ...board, password: 'x'.repeat(43) }), false)
  } finally {
    for (const { program } of [a, b]) program.process.kill('SIGCONT')
  }
}

/** The broker must know which connections a block of an address would end, on all its nodes. */
export async function connectedFrom({ cluster, boards }: House): Promise<void> {
  const config = readConfig({ ...cluster.settings, DATA_DIR: cluster.dir })
  const found = await createBrokerApi({ config, log: pino({ level: 'silent' }) }).connectedFrom('127.0.0.1')
  const missing = boards.filter(({ deviceId }) => !found.includes(deviceId)).length
  same('boards that are not found by their address', missing, 0)
}

/** A board that is deleted at one instance must lose its connection, and must not come back. */
export async function kick({ cluster, b, revoked, token }: House): Promise<void> {
  const board = cluster.boards.find(({ deviceId }) => deviceId === revoked.deviceId)
  if (board === undefined) return
  await createClient({ base: b.url, token }).call(deleteDevice, { params: { id: board.deviceId } })
  await until('its line has ended', () => !revoked.isConnected(), 5000)
  same('the deleted board', await isLetIn(cluster.mqtt, board), false)
}

const isLetIn = (mqtt: MqttAddress, board: Parameters<typeof connectClusterBoard>[1]): Promise<boolean> =>
  connectClusterBoard(mqtt, board).then(
    (connected) => {
      connected.close()
      return true
    },
    () => false
  )

/** A logout at one instance must close the session's connections at the other one. */
export async function logOutAcross({ cluster, a, b }: House): Promise<void> {
  const token = await logIn(a.url, cluster.admin)
  const screen = await openClusterScreen(b.url, token, [])
  await createClient({ base: a.url, token }).call(logout, { body: {} })
  await until('the socket at the other instance has ended', () => !screen.isConnected(), 5000)
}

/** Every board has a schedule in the next minute. Each must fire once, on whichever instance. */
export async function schedules({ a, token, boards }: House): Promise<void> {
  const owner = createClient({ base: a.url, token })
  const left = 60_000 - (Date.now() % 60_000)
  if (left < 15_000) await wait(left)
  const at = new Date(Math.ceil((Date.now() + 5000) / 60_000) * 60_000)
  const time = (shift: number): string => new Date(at.getTime() + shift).toISOString().slice(11, 16)
  for (const board of boards) {
    board.executed.length = 0
    const { deviceId } = board
    await owner.call(updateDevice, { params: { id: deviceId }, body: { timezone: 'UTC' } })
    const { _id: switchId } = await owner.call(getSwitchByDevice, { params: { deviceId, index: 3 } })
    await owner.call(createSchedule, {
      body: {
        label: 'interop',
        deviceId,
        switchId,
        switchIndex: 3,
        startTime: time(0),
        endTime: time(7_200_000),
        startAction: board.state[3] === true ? 'off' : 'on',
        endAction: 'off',
        repeatType: 'once'
      }
    })
  }
  await until('all have fired', () => boards.every(({ executed }) => executed.length > 0), 90_000)
  await wait(3000)
  same(
    'fired once',
    boards.map(({ executed }) => executed.length),
    boards.map(() => 1)
  )
}
