import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { until } from '@batti/kit/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRaw } from '../test/raw-client.ts'
import { makeCertificate, secret } from '../test/rig.ts'

const main = join(import.meta.dirname, 'main.ts')

function run(env: Record<string, string>) {
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text))
  const log = () =>
    said.out
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  return {
    child,
    log,
    exit: once(child, 'close').then(([code]) => ({ code: code as number | null, stderr: said.err.trim() })),
    /** Resolves with the ports of a broker that listens. */
    ports: () =>
      until('the broker listens', () => {
        if (child.exitCode !== null) throw new Error(`The broker has ended: ${said.err}`)
        return log().find(({ msg }) => msg === 'broker listens') as { mqttPort: number; httpPort: number } | undefined
      })
  }
}

describe('the broker as a process', () => {
  let certificate: Awaited<ReturnType<typeof makeCertificate>>
  let env: Record<string, string>
  beforeAll(async () => {
    certificate = await makeCertificate()
    env = {
      MQTT_PORT: '0',
      BROKER_HTTP_PORT: '0',
      MQTT_TLS_CERT_FILE: certificate.certFile,
      MQTT_TLS_KEY_FILE: certificate.keyFile,
      INTERNAL_SECRET: secret
    }
  })
  afterAll(() => certificate.remove())

  it('names all errors of its settings and exits 1', async () => {
    const { code, stderr } = await run({ INTERNAL_SECRET: 'short' }).exit
    expect([code, ...stderr.split('\n')]).toEqual([
      1,
      expect.stringMatching(/^broker: MQTT_TLS_CERT_FILE: must name/),
      expect.stringMatching(/^broker: MQTT_TLS_KEY_FILE: must name/),
      expect.stringMatching(/^broker: INTERNAL_SECRET: is too short: set it to at least 32/)
    ])
  })

  it('says in one sentence that a port is in use, and exits 1', async () => {
    const other = net.createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    expect(await run({ ...env, MQTT_PORT: String(port) }).exit).toEqual({
      code: 1,
      stderr: `broker: could not start: MQTT_HOST and MQTT_PORT: Port ${port} on 127.0.0.1 is in use. Stop what uses it, or choose another port.`
    })
    other.close()
  })

  it('is healthy when it listens, loads a new certificate on SIGHUP, and exits with 0 on SIGTERM', async () => {
    const { child, exit, log, ports } = run(env)
    const { mqttPort, httpPort } = await ports()
    expect((await fetch(`http://127.0.0.1:${httpPort}/healthz`)).status).toBe(200)
    const ca = await certificate.renew('renewed.test')
    child.kill('SIGHUP')
    const renewed = async () => {
      const client = await openRaw(mqttPort, { ca })
      const name = client.socket.getPeerCertificate().subject.CN
      client.socket.destroy()
      return name
    }
    await expect.poll(renewed).toBe('renewed.test')
    child.kill('SIGTERM')
    expect((await exit).code).toBe(0)
    for (const line of log()) expect(line).toMatchObject({ part: 'broker', time: expect.stringMatching(/^\d{4}-.*Z$/) })
  })
})
