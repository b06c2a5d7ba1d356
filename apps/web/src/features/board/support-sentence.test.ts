import type { DeviceHistory } from '@batti/contracts'
import { expect, test } from 'vitest'
import { figuresOf, sentenceOf } from './support-sentence.ts'

const to = Date.parse('2026-11-22T12:00:00.000Z')
const window = { from: to - 86_400_000, to }
const at = (time: string) => `2026-11-22T${time}:00.000Z`
const history: DeviceHistory = {
  presence: [
    [new Date(window.from).toISOString(), at('06:00')],
    [at('06:30'), at('11:20')],
    [at('11:25'), at('11:40')],
    [at('11:41'), new Date(to).toISOString()]
  ],
  rssi: [
    { at: at('09:00'), value: -60 },
    { at: at('11:10'), value: -82 },
    { at: at('11:20'), value: -84 },
    { at: at('11:50'), value: -83 }
  ],
  boots: [at('06:30')],
  commands: [
    { at: at('11:45'), result: 'expired', ms: null, by: null },
    ...Array.from({ length: 19 }, () => ({ at: at('11:30'), result: 'confirmed' as const, ms: 86, by: 'Sita' })),
    { at: at('11:15'), result: 'expired', ms: null, by: null }
  ]
}

test('the figures are of the last hour, of the last commands, and of the whole window', () => {
  const figures = figuresOf(history, window)
  expect(figures).toMatchObject({
    medianRssi: -83,
    connectionsOfHour: 2,
    unanswered: 1,
    commands: 20,
    disconnects: 3,
    boots: 1
  })
  expect(figures.onlineShare).toBeCloseTo(1 - 36 / 1440)
})

test('each reason has its figure, and disconnects without a boot suggest a Wi-Fi problem', () => {
  const figures = figuresOf(history, window)
  expect(sentenceOf({ score: 70, reasons: ['flapping', 'weak'] }, figures, true)).toEqual([
    { id: 'board.say.flapping', values: { count: 2 } },
    { id: 'board.say.weak', values: { rssi: -83 } },
    { id: 'board.say.wifi', values: { cuts: 3, ofThem: 2 } }
  ])
  expect(sentenceOf({ score: 100, reasons: [] }, figures, true)).toEqual([{ id: 'board.say.healthy' }])
  expect(sentenceOf({ score: 0, reasons: ['never-seen'] }, null, false)).toEqual([{ id: 'board.say.never-seen' }])
})
