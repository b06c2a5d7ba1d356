import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { close, listen } from './listen.ts'
import { freePort } from './ports.ts'

/** Holds the UDP port, as another process does that has chosen the port. Returns the error's code when it is held already. */
async function claim(port: number): Promise<string | null> {
  const socket = createSocket('udp4').unref()
  onTestFinished(() => void socket.close())
  const bound = once(socket, 'listening').then(() => null)
  socket.bind(port, '127.0.0.1')
  return bound.catch((error: NodeJS.ErrnoException) => error.code ?? error.message)
}

test('a port that was chosen is free for whom it is chosen, and for no other process', async () => {
  const port = await freePort()
  const server = createServer()
  expect(await listen(server, port)).toBe(port)
  await close(server)
  expect(await claim(port)).toBe('EADDRINUSE')
})

test('a port that another process has chosen, and does not use yet, is not chosen', async () => {
  // They are chosen in order, so this one would be next.
  const taken = (await freePort()) + 1
  await claim(taken)
  expect(await freePort()).not.toBe(taken)
})
