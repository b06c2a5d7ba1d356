import type { AuditLogRecord, DeviceRecord } from '@batti/contracts'
import { expect, test } from 'vitest'
import { messages } from '#web/i18n/en/user-page.ts'
import { createTexts } from '#web/lib/i18n/texts.ts'
import { boardRecord } from '#web/test/fixtures.ts'
import { newestOf } from './user-queries.ts'
import { userSentence } from './user-sentence.ts'

const intl = createTexts({ language: 'en', messages })
const boardsOf = (...devices: DeviceRecord[]) => ({ devices, total: devices.length })
const t = (id: string, values?: Record<string, string | number | Date>) => intl.formatMessage({ id }, values)
const sita = {
  _id: 'a',
  name: 'Sita',
  email: 's@example.com',
  phone: '+9779841234567',
  role: 'user',
  profileImage: null,
  emailVerification: true,
  phoneVerification: true,
  createdAt: '2026-11-01T00:00:00.000Z',
  deviceCount: 2,
  scheduleCount: 0,
  roomCount: 0
} as const

test('the sentence names boards, then problems', () => {
  const well = boardRecord()
  const ill = boardRecord({ isOnline: false, health: { score: 50, reasons: ['silent', 'weak'] } })
  const old = boardRecord({ health: { score: 90, reasons: ['outdated'] } })
  expect(userSentence(sita, boardsOf(well, old), t)).toBe('2 boards, 2 online.')
  expect(userSentence({ ...sita, emailVerification: false, phoneVerification: false }, boardsOf(ill, well), t)).toBe(
    '2 boards, 1 online. 1 needs a hand. The email address is not confirmed. The phone number is not confirmed.'
  )
  expect(userSentence({ ...sita, deviceCount: 0 }, boardsOf(), t)).toBe('No boards.')
  // Of more boards than the page loads, only the total is known.
  expect(userSentence(sita, { devices: [ill, well], total: 342 }, t)).toBe('342 boards. 1 needs a hand.')
  // A monitor who may not see boards still knows how many there are.
  expect(userSentence(sita, null, t)).toBe('2 boards.')
})

test("a user's change of their own account appears once, newest first", () => {
  const log = (_id: string, at: string) => ({ _id, at }) as AuditLogRecord
  const own = log('1', '2026-11-03')
  expect(newestOf([own, log('2', '2026-11-01'), own, log('3', '2026-11-02')], 2).map(({ _id }) => _id)).toEqual([
    '1',
    '3'
  ])
})
