import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort } from '@batti/kit/node/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRaw } from '../test/raw-client.ts'
import { makeCertificate, secret } from '../test/rig.ts'

const main = join(import.meta.dirname, 'main.ts')

function run(env: Record<string, string>) {
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  return {
    child,
    stdout: text(child.stdout),
    stderr: text(child.stderr),
    exit: once(child, 'exit').then(([code]) => code as number | null)
  }
}

describe('the broker as a process', () => {
  let certificate: Awaited<ReturnType<typeof makeCertificate>>
  let env: Record<string, string>
  beforeAll(async () => {
    certificate = await makeCertificate()
    env = {
      MQTT_PORT: String(await freePort()),
      BROKER_HTTP_PORT: String(await freePort()),
      MQTT_TLS_CERT_FILE: certificate.certFile,
      MQTT_TLS_KEY_FILE: certificate.keyFile,
      INTERNAL_SECRET: secret
    }
  })
  afterAll(() => certificate.remove())

  it('names all errors of its settings and exits 1', async () => {
    const { exit, stderr } = run({ INTERNAL_SECRET: 'short' })
    expect(await exit).toBe(1)
    const lines = (await stderr).trim().split('\n')
    expect(lines).toEqual([
      expect.stringMatching(/^broker: MQTT_TLS_CERT_FILE: must name/),
      expect.stringMatching(/^broker: MQTT_TLS_KEY_FILE: must name/),
      expect.stringMatching(/^broker: INTERNAL_SECRET: is too short: set it to at least 32/)
    ])
  })

  it('says in one sentence that a port is in use, and exits 1', async () => {
    const other = net.createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { exit, stderr } = run({ ...env, MQTT_PORT: String(port) })
    expect(await exit).toBe(1)
    expect((await stderr).trim()).toBe(
      `broker: could not start: Port ${port} on 127.0.0.1 is in use. Stop what uses it, or choose another port.`
    )
    other.close()
  })

  it('is healthy when it listens, loads a new certificate on SIGHUP, and exits with 0 on SIGTERM', async () => {
    const { child, exit, stdout } = run(env)
    const healthy = () =>
      fetch(`http://127.0.0.1:${env['BROKER_HTTP_PORT']}/healthz`).then(
        ({ status }) => status,
        () => 0
      )
    await expect.poll(healthy).toBe(200)
    const ca = await certificate.renew('renewed.test')
    child.kill('SIGHUP')
    const renewed = async () => {
      const client = await openRaw(Number(env['MQTT_PORT']), { ca })
      const name = client.socket.getPeerCertificate().subject.CN
      client.socket.destroy()
      return name
    }
    await expect.poll(renewed).toBe('renewed.test')
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
    for (const line of (await stdout).trim().split('\n'))
      expect(JSON.parse(line)).toMatchObject({ part: 'broker', time: expect.stringMatching(/^\d{4}-.*Z$/) })
  })
})
