import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { generate } from 'selfsigned'
import { expect, it, onTestFinished } from 'vitest'
import { certificateEnd, hasCertificate } from './broker-certificate.ts'

it('the end of the certificate is read, also of one that is over', async () => {
  const notAfterDate = new Date('2024-05-06T07:08:09Z')
  const made = await generate([{ name: 'commonName', value: 'broker' }], {
    notBeforeDate: new Date('2024-01-01T00:00:00Z'),
    notAfterDate
  })
  const server = createServer({ cert: made.cert, key: made.private })
  const failed: Error[] = []
  server.on('tlsClientError', (error) => failed.push(error))
  const accepted = once(server, 'secureConnection')
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  expect(await certificateEnd(`mqtts://127.0.0.1:${port}`)).toBe(notAfterDate.getTime() / 1000)
  await accepted
  expect(failed).toEqual([])
  await new Promise((done) => server.close(done))
  expect(await certificateEnd(`mqtts://127.0.0.1:${port}`)).toBeNaN()
})

it.each([
  ['mqtts://broker', true],
  ['wss://broker/mqtt', true],
  ['mqtt://broker', false]
])('%s has a certificate: %s', (url, expected) => {
  expect(hasCertificate(url)).toBe(expected)
})
