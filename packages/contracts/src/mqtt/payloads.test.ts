import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ackPayload,
  calendarDate,
  clockTime,
  configUpdatePayload,
  deviceReport,
  deviceStatus,
  downPayloads,
  firmwareProgress,
  firmwareUpdatePayload,
  reportCauses,
  reportIdentity,
  schedulesPayload,
  switchUpdatePayload,
  upPayloads
} from './payloads.ts'
import { downTopics, upTopics } from './topics.ts'

const outlets = fc.integer({ min: 1, max: 64 }).chain((count) =>
  fc.record({
    switch: fc.array(fc.boolean(), { minLength: count, maxLength: count }),
    speed: fc.array(fc.integer({ min: 0, max: 255 }), { minLength: count, maxLength: count })
  })
)
const required = fc.record({
  bootId: fc.stringMatching(/^[A-Za-z0-9_-]{8,32}$/),
  seq: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  cause: fc.constantFrom(...reportCauses)
})
const extras = fc.record(
  {
    commandId: fc.uuid(),
    result: fc.constantFrom('applied', 'expired', 'rejected'),
    reason: fc.string({ maxLength: 256 }),
    scheduleId: fc.string({ maxLength: 64 }),
    occurredAt: fc.nat(),
    changed: fc.array(fc.integer({ min: 0, max: 63 }), { maxLength: 64 }),
    rssi: fc.integer({ min: -127, max: 31 }),
    uptimeS: fc.double({ min: 0, max: 1e9, noNaN: true }),
    osVersion: fc.string({ maxLength: 64 }),
    localIp: fc.ipV4(),
    configRev: fc.nat(),
    schedulesRev: fc.nat()
  },
  { requiredKeys: [] }
)
const anyReport = fc
  .tuple(required, outlets, extras)
  .map(([first, second, third]) => ({ ...first, ...second, ...third }))

describe('a report', () => {
  it('is accepted unchanged, for a board of 1 to 64 outlets', () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        expect(deviceReport.parse(report)).toEqual(report)
      })
    )
  })

  it('loses unknown fields, and nothing else', () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        expect(deviceReport.parse({ ...report, isOnline: false, userId: 'of somebody else' })).toEqual(report)
      })
    )
  })

  it('is refused without any one of its required fields, and can still be named in a rejection', () => {
    fc.assert(
      fc.property(anyReport, fc.constantFrom('switch', 'speed', 'cause'), (report, field) => {
        const { [field]: _left, ...rest } = report
        expect(deviceReport.safeParse(rest).success).toBe(false)
        expect(reportIdentity.parse(rest)).toEqual({ bootId: report.bootId, seq: report.seq })
      })
    )
  })

  it('is refused if switch and speed differ in length', () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        const longer = deviceReport.safeParse({ ...report, speed: [...report.speed, 0] })
        expect(longer.error?.issues.map((issue) => issue.path[0])).toContain('speed')
      })
    )
  })

  it.each([
    [-60.5, -60],
    [1e308, 127],
    [-1e308, -128]
  ])('with a signal of %d dBm is accepted, as %d', (rssi, taken) => {
    expect(
      deviceReport.parse({ bootId: 'boot0001', seq: 1, switch: [true], speed: [0], cause: 'boot', rssi }).rssi
    ).toBe(taken)
    expect(deviceStatus.parse({ online: true, bootId: 'boot0001', conn: 1, rssi }).rssi).toBe(taken)
  })

  it.each([
    ['reason', 256],
    ['osVersion', 64],
    ['localIp', 64]
  ] as const)('with a long %s is accepted, truncated to %d characters', (field, length) => {
    const good = { bootId: 'boot0001', seq: 1, switch: [true], speed: [0], cause: 'boot' }
    expect(deviceReport.parse({ ...good, [field]: 'é'.repeat(300) })[field]).toBe('é'.repeat(length))
  })

  it.each([
    ['rssi', 'NaN'],
    ['uptimeS', -2_147_483],
    ['occurredAt', 1.7e12 + 0.5],
    ['occurredAt', -1],
    ['occurredAt', 8.64e15 + 1],
    ['osVersion', 15],
    ['localIp', null],
    ['reason', { code: 3 }],
    ['configRev', -1],
    ['schedulesRev', null]
  ])('whose %s is %j is accepted without it', (field, value) => {
    const good = { bootId: 'boot0001', seq: 1, switch: [true], speed: [0], cause: 'boot' }
    expect(deviceReport.parse({ ...good, [field]: value })).toEqual(good)
    const status = { online: true, bootId: 'boot0001', conn: 1 }
    expect(deviceStatus.parse({ ...status, [field]: value })).toEqual(status)
  })

  it.each([
    ['a speed of 256', { speed: [256] }],
    ['a negative speed', { speed: [-1] }],
    ['a speed between two steps', { speed: [1.5] }],
    ['a switch that is 1', { switch: [1] }],
    ['no outlets', { switch: [], speed: [] }],
    ['a number of 0', { seq: 0 }],
    ['a number as text', { seq: '1' }],
    ['a boot id that is too short', { bootId: 'short' }],
    ['a cause of its own making', { cause: 'magic' }],
    ['a result of its own making', { result: 'maybe' }]
  ])('is refused with %s', (_fault, change) => {
    const good = { bootId: 'boot0001', seq: 1, switch: [true], speed: [0], cause: 'boot' }
    expect(deviceReport.safeParse(good).success).toBe(true)
    expect(deviceReport.safeParse({ ...good, ...change }).success).toBe(false)
  })

  it('is never made of anything else', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        for (const schema of Object.values(upPayloads)) expect(schema.safeParse(value).success).toBe(false)
      })
    )
  })
})

describe('what the server sends', () => {
  it('has a schema for each topic, and only for those', () => {
    expect(Object.keys(downPayloads).toSorted()).toEqual([...downTopics].toSorted())
    expect(Object.keys(upPayloads).toSorted()).toEqual([...upTopics].toSorted())
  })

  it('is a command for at least one outlet, in absolute values', () => {
    const command = { id: 'c1', set: [{ index: 2, on: true, speed: 140 }], expiresAt: 1_770_000_000_000 }
    expect(switchUpdatePayload.parse(command)).toEqual(command)
    expect(switchUpdatePayload.safeParse({ ...command, set: [] }).success).toBe(false)
    expect(switchUpdatePayload.safeParse({ ...command, set: [{ index: 64 }] }).success).toBe(false)
    expect(switchUpdatePayload.safeParse({ ...command, expiresAt: '2026-11-21' }).success).toBe(false)
  })

  it('is an ack that says what was wrong if it rejects', () => {
    const ack = { bootId: 'boot0001', seq: 7, serverTime: 1_770_000_000_000 }
    expect(ackPayload.parse(ack)).toEqual(ack)
    expect(ackPayload.parse({ ...ack, rejected: 'speed must be as long as switch' }).rejected).toContain('speed')
  })

  it('is the whole timetable, each entry named after its schedule and phase', () => {
    const entry = {
      id: '65f0c0ffee65f0c0ffee65f0:start',
      index: 0,
      on: true,
      time: '06:30',
      repeat: 'weekly',
      days: ['Sun']
    }
    const list = { rev: 1, timezone: 'Asia/Kathmandu', entries: [entry] }
    expect(schedulesPayload.parse(list)).toEqual(list)
    for (const wrong of [
      { id: '65f0c0ffee65f0c0ffee65f0' },
      { time: '24:00' },
      { days: ['Sunday'] },
      { date: '2026-02-30' }
    ]) {
      expect(schedulesPayload.safeParse({ ...list, entries: [{ ...entry, ...wrong }] }).success).toBe(false)
    }
  })

  it('is a broker with host and port, or with neither of them', () => {
    const mqtt = { host: 'home.example', port: 8883 }
    for (const whole of [mqtt, {}, { caPem: 'PEM' }])
      expect(configUpdatePayload.parse({ rev: 1, mqtt: whole })).toEqual({ rev: 1, mqtt: whole })
    for (const half of [{ host: mqtt.host }, { port: mqtt.port }])
      expect(configUpdatePayload.safeParse({ rev: 1, mqtt: half }).success).toBe(false)
  })

  it('is firmware with an absolute address, its size and its hash', () => {
    const update = { id: 'f1', url: 'https://home.example/fw/1', version: '1.4.2', size: 1, sha256: 'a'.repeat(64) }
    expect(firmwareUpdatePayload.parse(update)).toEqual(update)
    for (const wrong of [{ url: '/fw/1' }, { size: 0 }, { sha256: 'a'.repeat(63) }]) {
      expect(firmwareUpdatePayload.safeParse({ ...update, ...wrong }).success).toBe(false)
    }
  })
})

describe('the other messages of a board', () => {
  it('distinguish connections of one boot, in the heartbeat and in the will', () => {
    expect(deviceStatus.parse({ online: true, bootId: 'boot0001', conn: 3, rssi: -61, uptimeS: 12.5 }).conn).toBe(3)
    expect(deviceStatus.safeParse({ online: false, bootId: 'boot0001' }).success).toBe(false)
  })

  it('lose characters that would reverse or break a line in a list, and half characters, and nothing else', () => {
    const word = `1.4\u202e.0\n${'x'.repeat(56)}🔌`
    const said = deviceReport.parse({
      bootId: 'boot0001',
      seq: 1,
      switch: [true],
      speed: [0],
      cause: 'boot',
      commandId: 'c1\u2067\r\n',
      scheduleId: '\u202d0:start',
      osVersion: word,
      localIp: '192.168.1.20\u0000',
      reason: '\ud800'
    })
    expect([said.commandId, said.scheduleId]).toEqual(['c1', '0:start'])
    expect(said).toMatchObject({ osVersion: `1.4.0${'x'.repeat(56)}`, localIp: '192.168.1.20', reason: '' })
  })

  it('report the progress of a firmware update in per cent', () => {
    expect(firmwareProgress.safeParse({ id: 'f1', phase: 'download', percent: 100 }).success).toBe(true)
    expect(firmwareProgress.safeParse({ id: 'f1', phase: 'download', percent: 101 }).success).toBe(false)
    expect(firmwareProgress.safeParse({ id: 'f1', phase: 'baking', percent: 1 }).success).toBe(false)
    const failed = { id: 'f1', phase: 'failed', percent: 40, error: 'e'.repeat(300) }
    expect(firmwareProgress.parse(failed).error).toHaveLength(256)
  })

  it.each([[-28928], [null], [{ code: 3 }]])(
    'report that an update failed, also if its error %j is not text',
    (error) => {
      const failed = { id: 'f1', phase: 'failed', percent: 40 }
      expect(firmwareProgress.parse({ ...failed, error })).toEqual(failed)
    }
  )
})

describe('times of day and dates', () => {
  it.each(['00:00', '06:30', '23:59'])('%s is a time', (text) => {
    expect(clockTime.parse(text)).toBe(text)
  })
  it.each(['24:00', '6:30', '06:60', '06:30:00', ' 06:30', '06.30', ''])('%j is not a time', (text) => {
    expect(clockTime.safeParse(text).success).toBe(false)
  })
  it('a date exists in the calendar', () => {
    expect(calendarDate.safeParse('2028-02-29').success).toBe(true)
    for (const text of ['2026-02-29', '2026-13-01', '2026-1-1', '21-11-2026']) {
      expect(calendarDate.safeParse(text).success).toBe(false)
    }
  })
})
