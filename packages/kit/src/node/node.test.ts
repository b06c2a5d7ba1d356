import { connect, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { messageOf } from '../message-of.ts'
import { constantTimeEqual } from './constant-time-equal.ts'
import { close, listen } from './listen.ts'
import { runToEnd } from './testing.ts'

test('secrets are compared in all bytes', () => {
  expect(constantTimeEqual('a secret', 'a secret')).toBe(true)
  expect(constantTimeEqual('a secret', Buffer.from('a secret'))).toBe(true)
  for (const given of ['', 'a secreT', 'a secret ', 'ä secret'])
    expect(constantTimeEqual(given, 'a secret')).toBe(false)
})

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

test('a program that a test waits for is ended when it hangs', async () => {
  const hangs = "console.log('ready'); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"
  const hang = async () => runToEnd(process.execPath, ['-e', hangs], { timeoutMs: 3000 })
  // On a slow machine its time can be over before it has said anything.
  await expect.poll(() => hang().then(() => 'it ended', messageOf)).toMatch(/did not end:\nready\n$/)
  const ended = runToEnd(process.execPath, ['-e', "console.log('ready'); process.exit(3)"])
  expect(ended).toMatchObject({ status: 3, stdout: 'ready\n', stderr: '' })
})
