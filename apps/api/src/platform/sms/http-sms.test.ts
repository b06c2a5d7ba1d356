import { createServer, type IncomingMessage } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { ReceiverRefused } from '../mail/receiver-refused.ts'
import { createHttpSms } from './http-sms.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0)) await step()
})

async function gateway(status = 200) {
  const requests: { method: string; url: string; body: string }[] = []
  const server = createServer((req: IncomingMessage, res) => {
    let body = ''
    req.on('data', (chunk: Buffer) => (body += chunk.toString()))
    req.on('end', () => {
      requests.push({ method: req.method ?? '', url: req.url ?? '', body })
      res.writeHead(status, status === 302 ? { location: 'http://127.0.0.1:1/' } : {}).end('ok')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  undo.push(() => new Promise((resolve) => server.close(resolve)))
  const address = server.address()
  return { requests, base: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` }
}

const sms = { to: '+9779812345678', text: '123456 is "yours" & कोड' }

test('a GET gateway gets number and text, URL-encoded', async () => {
  const { requests, base } = await gateway()
  await createHttpSms({ url: `${base}/send?key=k&to={number}&plus={to}&text={text}` }).send(sms)
  expect(requests[0]?.method).toBe('GET')
  const query = new URL(requests[0]?.url ?? '', base).searchParams
  expect([query.get('to'), query.get('plus'), query.get('text')]).toEqual(['9779812345678', sms.to, sms.text])
})

test('a POST gateway gets the template filled in as JSON', async () => {
  const { requests, base } = await gateway()
  const template = '{"recipient":"{to}","message":"{text}","sender":"BATTI"}'
  await createHttpSms({ url: `${base}/v1/sms`, template }).send({ ...sms, text: 'line\n"quoted" \\ {to}' })
  expect(requests[0]?.method).toBe('POST')
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
    recipient: sms.to,
    message: 'line\n"quoted" \\ {to}',
    sender: 'BATTI'
  })
})

test.each([
  [400, true],
  [422, true],
  [401, false],
  [402, false],
  [429, false],
  [500, false]
])('the answer %i is about the number: %s', async (status, isOfReceiver) => {
  const { base } = await gateway(status)
  const failure: unknown = await createHttpSms({ url: `${base}/send` })
    .send(sms)
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Error)
  expect(failure instanceof ReceiverRefused).toBe(isOfReceiver)
})

test.each([302, 400, 500])('an answer of %i is a failure that contains neither key nor code', async (status) => {
  const { base } = await gateway(status)
  const failure = createHttpSms({ url: `${base}/send?key=secret&text={text}` }).send(sms)
  await expect(failure).rejects.toSatisfy(
    (error) => !String(error).includes('secret') && !String(error).includes('123456')
  )
})
