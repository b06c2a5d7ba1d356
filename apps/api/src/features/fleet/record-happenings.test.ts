import { deviceClientId } from '@batti/contracts'
import { createFakeClock } from '@batti/kit/testing'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createEventBus, type DomainEvents } from '../../platform/events.ts'
import { recordHappenings } from './record-happenings.ts'

const deviceId = '65a000000000000000000001'
const at = 1_700_000_000_000

function setUp({ isKnown = true } = {}) {
  const events = createEventBus(pino({ enabled: false }))
  const recorded: object[] = []
  recordHappenings({
    events,
    records: { happened: (event) => void recorded.push(event) },
    book: { get: (id) => (isKnown && id === deviceId ? ({} as never) : undefined) },
    clock: createFakeClock(at)
  })
  return { events, recorded }
}

const refused = (method: string, url: string) => ({
  ip: '198.51.100.7',
  method,
  url,
  userAgent: deviceClientId(deviceId)
})

test('what owners and staff did with a board is recorded', () => {
  const { events, recorded } = setUp()
  const board = { deviceId, deviceMac: 'AABBCCDDEEFF', userId: 'u1' }
  events.emit('device-claimed', board)
  events.emit('device-released', { ...board, reason: 'moved' })
  events.emit('board-set', { deviceId, kind: 'config', detail: 'colour' })
  expect(recorded).toMatchObject([
    { deviceId, kind: 'claimed', at, detail: null },
    { deviceId, kind: 'released', at, detail: 'moved' },
    { deviceId, kind: 'config', at, detail: 'colour' }
  ])
})

test('an update is recorded by its download and its outcome, once each', () => {
  const { events, recorded } = setUp()
  for (const said of [{ phase: 'download' }, { phase: 'install' }, { phase: 'failed', error: 'checksum' }])
    events.emit('firmware-notice', { deviceId, event: { id: 'f1', ...said } } as DomainEvents['firmware-notice'])
  expect(recorded).toEqual([
    { deviceId, kind: 'firmware', at, detail: 'download', key: 'f1:download' },
    { deviceId, kind: 'firmware', at, detail: 'failed: checksum', key: 'f1:failed' }
  ])
})

test('only a refused connection under the name of a known board is recorded', () => {
  const { events, recorded } = setUp()
  for (const [method, url] of [
    ['MQTT', 'CONNECT'],
    ['MQTT', 'PUBLISH'],
    ['GET', 'CONNECT']
  ] as const)
    events.emit('refused', refused(method, url))
  expect(recorded).toMatchObject([{ deviceId, kind: 'refused', at }])
  const unknown = setUp({ isKnown: false })
  unknown.events.emit('refused', refused('MQTT', 'CONNECT'))
  expect(unknown.recorded).toEqual([])
})
