import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { WebSocket } from 'ws'
import { FramesInTurn, framesPerTurn } from './frames-in-turn.ts'

const opcodes = { message: 1, close: 8, ping: 9, pong: 10 }
/** A frame of a client, masked with zeros, with text of at most 125 bytes. */
const frame = (kind: keyof typeof opcodes, text = ''): Buffer =>
  Buffer.concat([Buffer.from([0x80 | opcodes[kind], 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)])
const frames = (kind: keyof typeof opcodes, count: number): Buffer[] =>
  Array.from({ length: count }, (_, index) => frame(kind, String(index)))

/** Opens a connection: its raw end, and the server's, of which `seen` is what happened in which turn of the event loop. */
async function open() {
  const http = createServer()
  const server = new FramesInTurn({ server: http })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const asked = request(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA=='
    }
  }).end()
  const [[socket], [, raw]] = (await Promise.all([once(server, 'connection'), once(asked, 'upgrade')])) as unknown as [
    [WebSocket],
    [unknown, Socket]
  ]
  let turn = 0
  let counting = setImmediate(function count() {
    turn += 1
    counting = setImmediate(count)
  })
  const seen: { what: string; turn: number }[] = []
  for (const event of ['message', 'ping', 'pong'] as const)
    socket.on(event, (data: Buffer) => seen.push({ what: `${event} ${String(data)}`, turn }))
  socket.on('error', () => seen.push({ what: 'error', turn }))
  socket.on('close', () => seen.push({ what: 'close', turn }))
  const closed = new Promise((resolve) => socket.on('close', resolve))
  onTestFinished(async () => {
    clearImmediate(counting)
    raw.destroy()
    await closed
    server.close()
    http.close()
  })
  return { raw, seen, closed }
}

/** How many frames the fullest turn had. */
function mostInATurn(seen: readonly { turn: number }[]): number {
  const turns = Map.groupBy(seen, ({ turn }) => turn)
  return Math.max(...[...turns.values()].map(({ length }) => length))
}

test.each(['message', 'ping', 'pong'] as const)('a thousand %ss of one read are handled a few a turn', async (kind) => {
  const { raw, seen, closed } = await open()
  raw.end(Buffer.concat([...frames(kind, 1000), frame('close')]))
  await closed
  expect(seen.map(({ what }) => what)).toEqual([...frames(kind, 1000).map((_, index) => `${kind} ${index}`), 'close'])
  expect(mostInATurn(seen.slice(0, -1))).toBe(framesPerTurn)
})

test('frames of several reads are handled, and a ping is answered with its words', async () => {
  const { raw, seen } = await open()
  const answers: Buffer[] = []
  const answered = new Promise<void>((resolve) => {
    raw.on('data', (bytes: Buffer) => {
      answers.push(bytes)
      if (Buffer.concat(answers).includes('last')) resolve()
    })
  })
  for (const part of [frames('message', 100), frames('message', 100), [frame('ping', 'last')]]) {
    raw.write(Buffer.concat(part))
    await new Promise(setImmediate)
  }
  await answered
  expect(seen).toHaveLength(201)
})

test('a fault behind frames that wait is reported after them', async () => {
  const { raw, seen, closed } = await open()
  raw.end(Buffer.concat([...frames('message', 20), Buffer.from([0xff, 0xff])]))
  await closed
  expect(seen.slice(-3).map(({ what }) => what)).toEqual(['message 19', 'error', 'close'])
})
