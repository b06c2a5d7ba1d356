import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureCertificates } from '../../../packages/launcher/src/certificates/certificates.ts'
import { startChild } from '../child.ts'
import type { Target } from '../load/target.ts'

export interface Baseline {
  target: Target
  pids: { relay: number; broker: number }
  stop(): Promise<void>
}

/** Starts the baseline: a bare relay and a bare broker, with as many people and boards as the product has. */
export async function startBaseline(counts: { users: number; boards: number }): Promise<Baseline> {
  const folder = await mkdtemp(join(tmpdir(), 'batti-bare-'))
  const { certFile, keyFile, caFile } = await ensureCertificates({ folder, addresses: [], now: Date.now() })
  const broker = startChild(new URL('./bare-broker.ts', import.meta.url), [certFile, keyFile])
  const { port: mqttPort } = await broker.ask<{ port: number }>({})
  const relay = startChild(new URL('./bare-relay.ts', import.meta.url), [String(mqttPort), caFile])
  const { port } = await relay.ask<{ port: number }>({})
  const boards = Array.from({ length: counts.boards }, (_, index) => {
    const hex = (0x02_00_00_00_00_00 + index).toString(16).padStart(12, '0')
    return {
      mac: (hex.toUpperCase().match(/../g) ?? []).join(':'),
      deviceId: hex.padStart(24, '0'),
      password: 'none',
      user: index % counts.users
    }
  })
  return {
    target: {
      socketUrl: `http://127.0.0.1:${port}`,
      broker: { host: '127.0.0.1', port: mqttPort, caPem: await readFile(caFile, 'utf8') },
      users: Array.from({ length: counts.users }, () => ({ token: '' })),
      boards
    },
    pids: { relay: relay.pid, broker: broker.pid },
    async stop() {
      await Promise.all([relay.stop(), broker.stop()])
      await rm(folder, { recursive: true, force: true })
    }
  }
}
