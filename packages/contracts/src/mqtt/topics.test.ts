import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  allDownFilter,
  allUpFilter,
  deviceClientId,
  deviceIdOfClient,
  downFilter,
  downTopic,
  downTopics,
  isServiceClient,
  parseDownTopic,
  parseUpTopic,
  upTopic,
  upTopics
} from './topics.ts'

const anyDevice = fc.stringMatching(/^[0-9a-f]{24}$/)
const device = '65f0c0ffee65f0c0ffee65f0'

describe('topics', () => {
  it('are parsed as they were built, and never as the other direction', () => {
    fc.assert(
      fc.property(anyDevice, fc.constantFrom(...downTopics), fc.constantFrom(...upTopics), (deviceId, down, up) => {
        expect(parseDownTopic(downTopic(deviceId, down))).toEqual({ deviceId, name: down })
        expect(parseUpTopic(upTopic(deviceId, up))).toEqual({ deviceId, name: up })
        expect(parseUpTopic(downTopic(deviceId, down))).toBeNull()
        expect(parseDownTopic(upTopic(deviceId, up))).toBeNull()
      })
    )
  })

  it('are spelled as existing boards spell them', () => {
    expect(upTopics.map((name) => upTopic(device, name))).toEqual([
      `d/${device}/up/update-from-device`,
      `d/${device}/up/status`,
      `d/${device}/up/firmware-progress`
    ])
    expect(downTopics.map((name) => downTopic(device, name))).toEqual([
      `d/${device}/down/switch-update`,
      `d/${device}/down/config-update`,
      `d/${device}/down/schedules`,
      `d/${device}/down/firmware-update`,
      `d/${device}/down/ack`
    ])
    expect([downFilter(device), allUpFilter, allDownFilter]).toEqual([`d/${device}/down/+`, 'd/+/up/+', 'd/+/down/+'])
  })

  it.each([
    '',
    'd',
    `d/${device}/up`,
    `d/${device}/up/`,
    `d/${device}/up/+`,
    `d/${device}/up/#`,
    'd/+/up/status',
    `d/${device}/up/status/`,
    `d/${device}/up/status/more`,
    `/d/${device}/up/status`,
    `D/${device}/up/status`,
    `d/${device.toUpperCase()}/up/status`,
    `d/${device}/UP/status`,
    `d/${device}/up/Status`,
    `d/${device.slice(1)}/up/status`,
    `d/../up/status`,
    `$SYS/${device}/up/status`,
    `$share/g/d/${device}/up/status`
  ])('%j is not a report', (topic) => {
    expect(parseUpTopic(topic)).toBeNull()
  })
})

describe("a board's client id", () => {
  it('contains its device id', () => {
    expect(deviceIdOfClient(deviceClientId(device))).toBe(device)
  })

  it.each([
    '',
    'dev-',
    device,
    `dev-${device}0`,
    `dev-${device.toUpperCase()}`,
    `DEV-${device}`,
    `api-${device}`,
    'dev-+'
  ])('is not %j', (clientId) => {
    expect(deviceIdOfClient(clientId)).toBeNull()
  })
})

it.each(['api-', 'api-a/b', 'api-+', 'api-#', 'api-a b', 'dev-65f0c0ffee65f0c0ffee65f0', `api-${'a'.repeat(65)}`])(
  '%j is not a client id of the api',
  (clientId) => {
    expect(isServiceClient(clientId)).toBe(false)
    expect(isServiceClient('api-6f1c-1')).toBe(true)
  }
)
