import type { DeviceSnapshot, Outlet, SwitchUpdateEvent } from '@batti/contracts'
import { expect, test } from 'vitest'
import { boardRecord } from '#web/test/fixtures.ts'
import { applyRecord } from './apply-record.ts'
import { applySnapshot } from './apply-snapshot.ts'
import { applySwitchUpdate } from './apply-switch-update.ts'
import { applyUpdateFromDevice } from './apply-update-from-device.ts'
import type { DeviceLive } from './device-live.ts'
import { countOutlets, isLit, viewOutlet } from './outlet-view.ts'

const mac = '34:98:7A:0C:51:E2'
const at = 1_800_000_000_000
const live = (changes = {}) => ({ ...applyRecord(undefined, boardRecord(), true), ...changes })
const update = (changes: Partial<SwitchUpdateEvent> = {}): SwitchUpdateEvent => ({
  deviceMac: mac,
  isOnline: true,
  update: { switch: [false, true, false, false], speed: [0, 0, 0, 0], fanIndexes: [2] },
  cause: { by: 'button', from: 'board' },
  bootId: 'boot0001',
  seq: 6,
  at: at + 1000,
  ...changes
})
const snapshot = (changes: Partial<DeviceSnapshot> = {}): DeviceSnapshot => ({
  deviceMac: mac,
  isOnline: true,
  switch: [true, true, true, true],
  speed: [0, 0, 0, 0],
  fanIndexes: [2],
  socketIndexes: [3],
  bootId: 'boot0001',
  seq: 7,
  at: at + 2000,
  ...changes
})

const isOn = ({ on }: Outlet) => on

test('within one boot the higher number wins, whatever the time', () => {
  expect(applySwitchUpdate(live(), update({ seq: 6, at: at - 9999 }))?.outlets.map(isOn)).toEqual([
    false,
    true,
    false,
    false
  ])
  expect(applySwitchUpdate(live(), update({ seq: 4, at: at + 9999 }))?.outlets.map(isOn)).toEqual([
    true,
    false,
    false,
    false
  ])
})

test('a repeated report changes nothing', () => {
  const once = applySwitchUpdate(live(), update())
  expect(applySwitchUpdate(once, update())).toBe(once)
})

test('a new boot starts at 1 and still wins; an event of the previous boot does not', () => {
  const rebooted = applySwitchUpdate(live(), update({ bootId: 'boot0002', seq: 1 }))
  expect(rebooted?.bootId).toBe('boot0002')
  expect(applySwitchUpdate(rebooted, update({ seq: 99, at: at + 500 }))).toBe(rebooted)
})

test('a report keeps since when its board is online, and brings back one that was offline or outdated', () => {
  const known = live({ onlineChangedAt: at - 5000 })
  expect(applySwitchUpdate(known, update())?.onlineChangedAt).toBe(at - 5000)
  expect(applySnapshot(known, snapshot()).onlineChangedAt).toBe(at - 5000)
  expect(applySnapshot(known, snapshot({ isOnline: false })).onlineChangedAt).toBeNull()
  const away = live({ isOnline: false, isFresh: false, onlineChangedAt: at - 5000 })
  expect(applySwitchUpdate(away, update())).toMatchObject({ isOnline: true, isFresh: true, onlineChangedAt: at + 1000 })
})

test.each([
  ['was turned on, and to another level', [false, 90], [true, 140], false],
  ['was turned off, and to another level', [true, 90], [false, 140], false],
  ['got another level', [true, 90], [true, 140], true],
  ['kept its level', [true, 140], [true, 140], false]
] as const)('of a fan that %s a report says which it was', (_what, [wasOn, before], [isOnNow, after], isLevel) => {
  const known = live({ outlets: [{ kind: 'fan', on: wasOn, level: before }] })
  const event = update({ update: { switch: [isOnNow], speed: [after], fanIndexes: [0] }, switchIndex: 0 })
  const { cause } = event
  expect(applySwitchUpdate(known, event)?.lastCause).toEqual({ cause, switchIndex: 0, isLevel, at: at + 1000 })
})

test('a snapshot is the state at its moment and makes the board fresh', () => {
  const stale = live({ isFresh: false })
  const known = applySnapshot(stale, snapshot())
  expect(known.outlets.map(isOn)).toEqual([true, true, true, true])
  expect(known.isFresh).toBe(true)
})

test('between boots the later of an event and a snapshot wins', () => {
  const rebooted = snapshot({ bootId: 'boot0002', seq: 1 })
  expect(applySnapshot(live(), rebooted)).toMatchObject({ bootId: 'boot0002', seq: 1, at: at + 2000 })
  const ahead = applySwitchUpdate(live(), update({ bootId: 'boot0003', seq: 1, at: at + 3000 }))
  expect(applySnapshot(ahead, rebooted)).toMatchObject({ bootId: 'boot0003', seq: 1, at: at + 3000 })
})

test('an event before anything else is known does not hide the types of the outlets', () => {
  const early = applySwitchUpdate(
    undefined,
    update({ seq: 9, update: { switch: [true, false, true, true], speed: [0, 0, 90, 0], fanIndexes: [2] } })
  )
  expect(applySnapshot(early, snapshot()).outlets).toEqual([
    { kind: 'switch', on: true },
    { kind: 'switch', on: false },
    { kind: 'fan', on: true, level: 90 },
    { kind: 'socket', on: true }
  ])
})

test('an event that overtook the snapshot keeps its switches', () => {
  const ahead = applySwitchUpdate(live(), update({ seq: 9 }))
  const known = applySnapshot(ahead, snapshot())
  expect(known).toMatchObject({ seq: 9, isFresh: true })
  expect(known.outlets.map(isOn)).toEqual([false, true, false, false])
})

test('a list that was requested before an event does not undo it', () => {
  const ahead = applySwitchUpdate(live(), update())
  expect(applyRecord(ahead, boardRecord(), true)).toBe(ahead)
  const outdated = { ...live(), ...ahead, isFresh: false }
  expect(applyRecord(outdated, boardRecord(), true)).toBe(outdated)
})

test('a list that is loaded while disconnected is shown, but never as live', () => {
  expect(applyRecord(undefined, boardRecord(), false).isFresh).toBe(false)
})

test('a list of the same report makes a stale board fresh again once there is a connection', () => {
  expect(applyRecord(live({ isFresh: false }), boardRecord(), true).isFresh).toBe(true)
})

test('a list tells since when a board is offline, which the snapshot before it did not', () => {
  const offline = { isOnline: false, bootId: boardRecord().bootId, seq: boardRecord().seq, at: boardRecord().stateAt }
  const back = applySnapshot(live({ isFresh: false }), snapshot(offline))
  expect(back).toMatchObject({ isOnline: false, onlineChangedAt: null })
  const onlineChangedAt = new Date(at + 5000).toISOString()
  expect(applyRecord(back, boardRecord({ isOnline: false, onlineChangedAt }), true).onlineChangedAt).toBe(at + 5000)
  expect(applyRecord(back, boardRecord({ isOnline: true, onlineChangedAt }), true)).toBe(back)
  expect(applyRecord(back, boardRecord({ isOnline: false, onlineChangedAt: null }), true)).toBe(back)
})

test('the cause of the newest change stays until the next event', () => {
  const caused = { ...live(), ...applySwitchUpdate(live(), update()) }
  expect(caused.lastCause).not.toBeNull()
  expect(applySnapshot(caused, snapshot()).lastCause).toBe(caused.lastCause)
  const { lastCause } = caused
  expect(applyRecord(caused, boardRecord({ seq: 99 }), true)).toMatchObject({ seq: 99, lastCause })
})

test('the update under way is that of the newest list, whatever the board has sent', () => {
  const firmware = { id: 'u', version: '2.0.0', phase: 'install', percent: 0 } as const
  const ofList = (current?: DeviceLive) => applyRecord(current, boardRecord({ firmware }), true)
  for (const known of [ofList(), ofList(live()), ofList(applySwitchUpdate(live(), update()))]) {
    expect(known.firmware).toEqual(firmware)
    expect(applySnapshot(known, snapshot({ seq: 99 })).firmware).toEqual(firmware)
    expect(applySwitchUpdate(known, update({ seq: 99 }))?.firmware).toEqual(firmware)
    expect(applyRecord(known, boardRecord(), true).firmware).toBeNull()
  }
})

test('going offline is stored with its time, however often it is told; an outdated report of it is ignored', () => {
  const event = { deviceMac: mac, update: { isOnline: false }, at: at + 5000 }
  const offline = applyUpdateFromDevice(live(), event)
  expect(offline).toMatchObject({ isOnline: false, onlineChangedAt: at + 5000 })
  expect(applyUpdateFromDevice(offline, { ...event, at: at + 7000 })).toBe(offline)
  const back = applyUpdateFromDevice(offline, { ...event, update: { isOnline: true }, at: at + 9000 })
  expect(applyUpdateFromDevice(back, event)?.isOnline).toBe(true)
})

test('a pending command shows the wanted value, locked; every ending shows the real state again', () => {
  const pending = {
    phase: 'pending',
    request: 1,
    kind: 'toggle',
    target: { on: false },
    deadlineMs: 0,
    commandId: null
  } as const
  expect(viewOutlet(live(), 0, pending)).toMatchObject({ on: false, phase: 'pending', isLocked: true })
  expect(viewOutlet(live(), 0, { phase: 'no-answer', request: 1, target: { on: false }, atMs: 0 })).toMatchObject({
    on: true,
    phase: 'no-answer',
    isLocked: false
  })
})

test('offline or outdated outlets count as unknown, neither on nor off, and none glows', () => {
  const glows = (changes: Partial<DeviceLive>) => isLit(viewOutlet(live(changes), 0, undefined))
  expect([glows({}), glows({ isOnline: false }), glows({ isFresh: false })]).toEqual([true, false, false])
  expect(countOutlets([live()])).toEqual({ on: 1, off: 3, unknown: 0 })
  expect(countOutlets([live({ isOnline: false })])).toEqual({ on: 0, off: 0, unknown: 4 })
  expect(countOutlets([live({ isFresh: false })])).toEqual({ on: 0, off: 0, unknown: 4 })
  expect(viewOutlet(live({ isFresh: false }), 0, undefined).phase).toBe('stale')
})

test('a fan that is on at speed zero does not glow', () => {
  const fan = (level: number) => viewOutlet(live({ outlets: [{ kind: 'fan', on: true, level }] }), 0, undefined)
  expect([isLit(fan(0)), isLit(fan(140))]).toEqual([false, true])
})
