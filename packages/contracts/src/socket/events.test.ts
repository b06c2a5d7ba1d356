import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clientEventAcks, clientEvents, serverEvents } from './events.ts'

const mac = '34:98:7A:0C:51:E2'

describe("a client's event", () => {
  it('is one of the specified, each with an acknowledgement', () => {
    expect(Object.keys(clientEvents)).toEqual([
      'join-user-room',
      'join-user-device-room',
      'join-staff-room',
      'toggle-switch',
      'set-fan-speed',
      'toggle-all-switches',
      'toggleSwitch',
      'renew-token'
    ])
    expect(Object.keys(clientEventAcks)).toEqual(Object.keys(clientEvents))
  })

  it('names a board in any usual spelling of its MAC', () => {
    expect(clientEvents['join-user-device-room'].parse('34987a0c51e2')).toBe(mac)
    expect(
      clientEvents['toggle-switch'].parse({ deviceMac: '34-98-7a-0c-51-e2', switchIndex: 0, state: true }).deviceMac
    ).toBe(mac)
  })

  it.each([
    ['toggle-switch', { deviceMac: mac, switchIndex: 0, state: 'on' }],
    ['toggle-switch', { deviceMac: mac, switchIndex: '0', state: true }],
    ['toggle-switch', { deviceMac: mac, switchIndex: -1, state: true }],
    ['toggle-switch', { deviceMac: mac, state: true }],
    ['toggle-switch', { deviceMac: { $ne: null }, switchIndex: 0, state: true }],
    ['set-fan-speed', { deviceMac: mac, switchIndex: 2, speed: 256 }],
    ['set-fan-speed', { deviceMac: mac, switchIndex: 2, speed: 1.5 }],
    ['toggle-all-switches', { deviceMac: mac }],
    ['toggleSwitch', { switchId: 'x', state: true }],
    ['join-user-room', { $gt: '' }]
  ] as const)('%s is refused with %j', (event, payload) => {
    expect(clientEvents[event].safeParse(payload).success).toBe(false)
  })

  it('never throws, whatever a socket sends', () => {
    // The first takes no data, so nothing sent with it is invalid; the second takes any text, which may be a token.
    const { 'join-staff-room': _takesNothing, 'renew-token': token, ...others } = clientEvents
    fc.assert(
      fc.property(
        fc.jsonValue().filter((value) => typeof value !== 'string'),
        (value) => {
          expect(token.safeParse(value).success).toBe(false)
        }
      )
    )
    const schemas = Object.values(others)
    fc.assert(
      fc.property(fc.constantFrom(...schemas), fc.jsonValue(), (schema, value) => {
        expect(schema.safeParse(value).success).toBe(false)
      })
    )
  })

  it('is acknowledged with ok, or with a code of the closed list and a sentence', () => {
    const ack = clientEventAcks['toggle-switch']
    expect(ack.safeParse({ ok: true, id: 'c1', expiresAt: 1 }).success).toBe(true)
    expect(ack.safeParse({ ok: false, code: 'DEVICE_OFFLINE', message: 'It is offline.' }).success).toBe(true)
    for (const wrong of [
      { ok: true },
      { ok: false, code: 'NO_SUCH_CODE', message: '' },
      { ok: false, code: 'NOT_FOUND' },
      {}
    ]) {
      expect(ack.safeParse(wrong).success).toBe(false)
    }
  })
})

describe("the server's events", () => {
  it('are the specified ones, and those that report progress', () => {
    expect(Object.keys(serverEvents)).toEqual([
      'switch-update',
      'update-from-device',
      'device-removed',
      'token-expired',
      'account-changed',
      'switchToggled',
      'deviceStatus',
      'notify-user',
      'claim-progress',
      'firmware-progress',
      'rollout-progress',
      'fleet-changed'
    ])
  })

  it('contain the state of a board, the cause of the change and the report behind it', () => {
    const event = {
      deviceMac: mac,
      isOnline: true,
      update: { switch: [true], speed: [0], fanIndexes: [] },
      cause: { by: 'button', from: 'board' },
      bootId: 'boot0001',
      seq: 3,
      at: 1
    }
    expect(serverEvents['switch-update'].parse(event)).toEqual(event)
    const { cause: _left, ...without } = event
    expect(serverEvents['switch-update'].safeParse(without).success).toBe(false)
  })

  it('merge anything a board reports about itself', () => {
    const event = {
      deviceMac: mac,
      update: { isOnline: false, lastSeen: 1_795_266_000_000, colour: 'red' },
      at: 1
    }
    expect(serverEvents['update-from-device'].parse(event)).toEqual(event)
  })
})
