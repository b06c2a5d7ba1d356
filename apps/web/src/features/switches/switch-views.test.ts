import type { DeviceUpdateEvent, SwitchRecord } from '@batti/contracts'
import { describe, expect, test } from 'vitest'
import { nepaliNumber } from '#web/lib/i18n/nepali.ts'
import type { Text } from '#web/lib/i18n/use-text.ts'
import type { OutletView } from '#web/lib/live/outlet-view.ts'
import { applyDeviceUpdate } from './api/apply-update-from-device.ts'
import { bulkResult, hasFailed } from './bulk-result.ts'
import { filterSwitches } from './filter-switches.ts'
import { deviceLive, switchRecord, switches } from '#web/test/fixtures.ts'

const record = (changes: Partial<SwitchRecord> = {}): SwitchRecord =>
  switchRecord({ deviceId: 'd1', roomId: { _id: 'r1', roomName: 'Living room' }, userId: 'u1', ...changes })

describe('a board’s change in the records of its switches', () => {
  const event = (update: DeviceUpdateEvent['update']) => ({ deviceMac: '34:98:7A:0C:51:E2', update, at: 1 })
  test("its name and its room are updated, and no other board's", () => {
    const other = record({ _id: 's2', deviceMac: '34:98:7A:00:00:01' })
    const room = { _id: 'r2', roomName: 'Bedroom' }
    expect(applyDeviceUpdate([record(), other], event({ setName: 'Hall wall', setRoom: room }))).toEqual([
      record({ deviceName: 'Hall wall', roomId: room }),
      other
    ])
  })
  test('no room is a room too', () => {
    expect(applyDeviceUpdate([record()], event({ setRoom: null }))[0]?.roomId).toBeNull()
  })
  test('anything else keeps the same list, so that nothing is drawn again', () => {
    const list = [record()]
    expect(applyDeviceUpdate(list, event({ wifiRSSI: -60 }))).toBe(list)
    expect(applyDeviceUpdate(list, { ...event({ setRoom: null }), deviceMac: '34:98:7A:00:00:09' })).toBe(list)
  })
})

describe('the result of all on, outlet by outlet', () => {
  const view = (changes: Partial<OutletView>): OutletView => ({
    index: 0,
    kind: 'switch',
    on: false,
    phase: 'idle',
    isLocked: false,
    request: 1,
    ...changes
  })
  test.each([
    ['waiting', view({ on: true, phase: 'pending' })],
    ['done', view({ on: true, phase: 'confirmed' })],
    ['done', view({ on: true, phase: 'no-answer' })],
    ['no-answer', view({ phase: 'no-answer' })],
    ['refused', view({ phase: 'refused' })],
    ['offline', view({ on: true, phase: 'offline' })],
    ['offline', view({ on: true, phase: 'stale' })]
  ] as const)('is %s', (result, shown) => {
    expect(bulkResult(shown, true)).toBe(result)
  })
  test('what is done or waiting is not retried', () => {
    expect((['done', 'waiting', 'no-answer', 'refused', 'offline'] as const).map(hasFailed)).toEqual([
      false,
      false,
      true,
      true,
      true
    ])
  })
})

describe('finding a switch', () => {
  const lamp = record()
  const kettle = record({ _id: 's2', switchName: 'Kettle', switchIndex: 1, roomId: null })
  const liveOf = () => deviceLive({ mac: lamp.deviceMac, outlets: switches(false, true) })
  const t: Text = (_id, values) => `स्विच ${nepaliNumber(Number(values?.['number']))}`
  test('by its name, as stored or as shown, its board or its room', () => {
    const find = (text: string) =>
      filterSwitches([lamp, kettle], { text, filter: 'all', liveOf, t }).map(({ switchName }) => switchName)
    expect(find('KETT')).toEqual(['Kettle'])
    expect(find('wall')).toEqual(['Ceiling lamp', 'Kettle'])
    expect(find('living room ')).toEqual(['Ceiling lamp', 'Kettle'])
    expect(find('bedroom')).toEqual([])
    const third = record({ switchName: 'Switch 3', switchIndex: 2 })
    for (const text of ['switch 3', 'स्विच ३', 'स्विच 3'])
      expect(filterSwitches([lamp, third], { text, filter: 'all', liveOf, t })).toEqual([third])
  })
  test('by what is on now, not by what the list said', () => {
    const find = (filter: 'on' | 'offline') => filterSwitches([lamp, kettle], { text: '', filter, liveOf, t })
    expect(find('on')).toEqual([kettle])
    expect(find('offline')).toEqual([])
  })
  test('with an unknown state is neither on nor offline', () => {
    const unknown = () => ({ ...liveOf(), isFresh: false, isOnline: false })
    expect(filterSwitches([lamp], { text: '', filter: 'on', liveOf: unknown, t })).toEqual([])
    expect(filterSwitches([lamp], { text: '', filter: 'offline', liveOf: unknown, t })).toEqual([])
  })
})
