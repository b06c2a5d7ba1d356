import { connect, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { close, listen } from './listen.ts'

test('a server listens where it should, or says in a sentence why it cannot', async () => {
  const first = createServer((socket) => socket.end('hello'))
  const port = await listen(first)
  expect(first.address()).toMatchObject({ address: '127.0.0.1', port })
  const socket = connect(port, '127.0.0.1')
  expect(String((await socket.toArray())[0])).toBe('hello')
  await expect(listen(createServer(), port)).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is in use. Stop what uses it, or choose another port.`
  )
  await expect(listen(createServer(), 0, 'host.invalid')).rejects.toThrow(
    'Port 0 on host.invalid cannot be used: this machine has no such address. Choose one that it has, for example 127.0.0.1.'
  )
  await expect(listen(createServer(), 0, '192.0.2.7')).rejects.toThrow('this machine has no such address')
  await close(first)
  await close(first)
  const second = createServer()
  expect(await listen(second, port)).toBe(port)
  await close(second)
})
