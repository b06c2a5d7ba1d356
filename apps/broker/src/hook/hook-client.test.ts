import { mqttAuthBatchMaxBytes } from '@batti/contracts'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createHookClient, HookUnavailable, type HookClientOptions } from './hook-client.ts'

const undo: (() => void)[] = []
afterEach(() => {
  for (const one of undo.splice(0)) one()
})

async function setUp(handle: http.RequestListener, changes: Partial<HookClientOptions> = {}) {
  // A stalled machine must not make it close a kept connection before its next use.
  const server = http.createServer({ keepAliveTimeout: 0 }, handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = createHookClient({ secret: 's3', timeoutMs: 20_000, maxConcurrent: 2, maxWaiting: 2, ...changes })
  undo.push(() => {
    client.close()
    server.closeAllConnections()
    server.close()
  })
  return { server, client, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`) }
}

describe('the hook client', () => {
  it('posts JSON with the secret and returns status and body', async () => {
    const seen: unknown[] = []
    const { client, url } = await setUp((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        seen.push([request.method, request.url, request.headers.authorization, body])
        response.writeHead(201).end('{"a":"é"}')
      })
    })
    expect(await client.post(url, { clientid: 'x' })).toEqual({ status: 201, body: '{"a":"é"}' })
    expect(seen).toEqual([['POST', '/hook', 'Bearer s3', '{"clientid":"x"}']])
  })

  it('reuses its connections', async () => {
    const { server, client, url } = await setUp((_request, response) => response.end('{}'))
    let connections = 0
    server.on('connection', () => (connections += 1))
    for (let index = 0; index < 20; index += 1) await client.post(url, {})
    expect(connections).toBeLessThanOrEqual(2)
  })

  it('repeats a request once when a kept connection had been closed by the server', async () => {
    let calls = 0
    const { client, url } = await setUp((request, response) => {
      calls += 1
      if (calls === 2) request.socket.destroy()
      else response.end('{}')
    })
    await client.post(url, {})
    expect(await client.post(url, {})).toEqual({ status: 200, body: '{}' })
    expect(calls).toBe(3)
  })

  it('does not repeat it when a kept connection returns invalid HTTP, or a new connection is closed', async () => {
    let calls = 0
    const { client, url } = await setUp((request, response) => {
      calls += 1
      if (calls === 2) request.socket.end('nonsense\r\n\r\n')
      else if (calls === 3) request.socket.destroy()
      else response.end('{}')
    })
    await client.post(url, {})
    await expect(client.post(url, {})).rejects.toThrow(HookUnavailable)
    await expect(client.post(url, {})).rejects.toThrow(HookUnavailable)
    expect(calls).toBe(3)
  })

  it('reads answers as long as those to a full batch', async () => {
    let length = mqttAuthBatchMaxBytes
    const { client, url } = await setUp((_request, response) => response.end('x'.repeat(length)))
    expect((await client.post(url, {})).body).toHaveLength(length)
    length += 1
    await expect(client.post(url, {})).rejects.toThrow(`the answer is longer than ${mqttAuthBatchMaxBytes} bytes`)
  })

  it('gives up after its time-out', async () => {
    const { client, url } = await setUp(() => {}, { timeoutMs: 50 })
    await expect(client.post(url, {})).rejects.toThrow(HookUnavailable)
  })

  it('reports at once that nothing listens', async () => {
    const { server, client, url } = await setUp(() => {})
    await new Promise((resolve) => server.close(resolve))
    await expect(client.post(url, {})).rejects.toThrow(HookUnavailable)
  })

  it('limits open and waiting requests, and refuses the others', async () => {
    const open: http.ServerResponse[] = []
    const { client, url } = await setUp((_request, response) => open.push(response))
    const questions = Array.from({ length: 5 }, () => client.post(url, {}))
    await expect(questions[4]).rejects.toThrow('too many questions')
    await expect.poll(() => open.length).toBe(2)
    for (let answered = 0; answered < 4; answered += 1) {
      await expect.poll(() => open.length).toBeGreaterThan(answered)
      open[answered]?.end('{}')
    }
    expect(await Promise.all(questions.slice(0, 4))).toHaveLength(4)
  })

  it('lets no request wait longer than the time-out for its turn', async () => {
    const { client, url } = await setUp(() => {}, { timeoutMs: 50, maxConcurrent: 1 })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const outcomes = Promise.allSettled([client.post(url, {}), client.post(url, {}), client.post(url, {})])
    expect(vi.getTimerCount()).toBe(3)
    vi.advanceTimersByTime(50)
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  })
})
