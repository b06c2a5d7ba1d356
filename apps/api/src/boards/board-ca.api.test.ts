import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import { startApi } from '../testing/test-api.ts'

const folder = mkdtempSync(join(tmpdir(), 'batti-ca-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const [old = '', next = ''] = rootCertificates

test('boards get another CA once while the api runs; offline ones get it when they reconnect', async () => {
  const file = join(folder, 'ca.pem')
  writeFileSync(file, old)
  const app = await startApi({ env: { MQTT_CA_FILE: file } })
  try {
    const owner = app.person()
    const here = await app.device(owner)
    const away = await app.device(owner, { isOnline: false })
    app.broker.heartbeat()
    await app.settled()
    // They have what they were paired with: a start sends them nothing.
    expect(here.board.configs).toEqual([])

    const both = `${old}\n${next}\n`
    writeFileSync(file, both)
    await app.boards.ca.look()
    app.broker.heartbeat()
    await expect.poll(() => here.board.configs).toEqual([expect.objectContaining({ mqtt: { caPem: both } })])
    const rev = here.board.configs[0]?.rev
    here.board.report({ cause: 'config', configRev: rev ?? 0 })
    await app.settled()
    await app.boards.ca.look()
    app.broker.heartbeat()
    away.board.connect()
    await expect.poll(() => away.board.configs).toEqual([expect.objectContaining({ mqtt: { caPem: both } })])
    await app.settled()
    expect(here.board.configs).toHaveLength(1)
  } finally {
    await app.stop()
  }
})
