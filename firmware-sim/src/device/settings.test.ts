import { rootCertificates } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { drive, seed } from '../../test/drive-device.ts'

describe('settings from the server', () => {
  const update = (board: ReturnType<typeof drive>, payload: object) =>
    board.run({ kind: 'received', topic: 'config-update', payload })

  test('are in flash before the board confirms their revision', () => {
    const board = drive()
    board.connect()
    const done = update(board, { rev: 4, activeColor: 'red', timezone: 'Europe/London' })
    expect(done.map(({ kind }) => kind)).toEqual(['persist', 'publish'])
    expect(done[0]).toEqual({ kind: 'persist', urgent: true })
    expect(board.reports().at(-1)).toMatchObject({ cause: 'config', configRev: 4 })
    expect(board.state().config).toMatchObject({ activeColor: 'red', timezone: 'Europe/London' })
  })

  test('older than the current ones change nothing, and are answered with the current revision', () => {
    const board = drive()
    board.connect()
    update(board, { rev: 2, activeColor: 'red' })
    expect(board.state().config.activeColor).toBe(seed.config.activeColor)
    expect(board.reports().at(-1)).toMatchObject({ cause: 'config', configRev: 3 })
  })

  test('of the current revision are taken: sent again, they may contain more', () => {
    const board = drive()
    board.connect()
    update(board, { rev: 4, timezone: 'Asia/Tokyo' })
    update(board, { rev: 4, timezone: 'Asia/Tokyo', activeColor: 'violet' })
    expect(board.state().config).toMatchObject({ rev: 4, timezone: 'Asia/Tokyo', activeColor: 'violet' })
  })

  test('with a new MQTT address move the connection, after the report has been sent over the old one', () => {
    const board = drive()
    board.connect()
    const done = update(board, { rev: 4, mqtt: { host: 'other.lan', port: 8883 } })
    expect(done.map(({ kind }) => kind)).toEqual(['persist', 'publish', 'reconnect'])
    expect(update(board, { rev: 5, mqtt: { host: 'other.lan', port: 8883 } }).map(({ kind }) => kind)).not.toContain(
      'reconnect'
    )
  })

  test.each<[string, object]>([
    ['host', { mqtt: { host: 'other.lan', port: 1 } }],
    ['port', { mqtt: { host: 'a.lan', port: 8883 } }],
    ['Wi-Fi', { wifi: { ssid: 'upstairs', password: 'secret 1' } }],
    ['password of the Wi-Fi', { wifi: { ssid: 'home', password: 'secret 2' } }]
  ])('move the connection also when only another %s is set', (_name, changes) => {
    const mqtt = { host: 'a.lan', port: 1 }
    const board = drive({ config: { ...seed.config, mqtt, wifi: { ssid: 'home', password: 'secret 1' } } })
    board.connect()
    expect(update(board, { rev: 4, ...changes }).map(({ kind }) => kind)).toContain('reconnect')
  })

  test('with another CA are stored and trusted from the next connection on, with or without an address', () => {
    const [caPem = ''] = rootCertificates
    const board = drive()
    board.connect()
    const done = update(board, { rev: 4, mqtt: { caPem } })
    expect(done[0]).toEqual({ kind: 'trust', caPem })
    expect(done.map(({ kind }) => kind)).toEqual(['trust', 'persist', 'publish'])
    expect(board.state().config.mqtt).toEqual(seed.config.mqtt)
    const moved = update(board, { rev: 5, mqtt: { host: 'other.lan', port: 8883, caPem } })
    expect(moved.map(({ kind }) => kind)).toEqual(['trust', 'persist', 'publish', 'reconnect'])
  })

  test('with an invalid CA are rejected, and nothing of them is stored', () => {
    const board = drive()
    board.connect()
    const done = update(board, { rev: 4, activeColor: 'red', mqtt: { caPem: 'no certificate' } })
    expect(done.map(({ kind }) => kind)).toEqual(['publish'])
    expect(board.reports().at(-1)).toMatchObject({ cause: 'config', result: 'rejected', configRev: 3 })
  })

  test('with an unknown time zone are rejected', () => {
    const board = drive()
    board.connect()
    update(board, { rev: 4, timezone: '../etc' })
    expect(board.reports().at(-1)).toMatchObject({ cause: 'config', result: 'rejected', configRev: 3 })
  })
})
