import { expect, test } from 'vitest'
import { scheduleRecord } from '#web/test/fixtures.ts'
import { hasSameContent } from '#web/lib/records/has-same-content.ts'
import { emptyForm, newScheduleOf } from './schedule-form.ts'

const target = { deviceId: 'd', switchId: 's', switchIndex: 2 }
const wanted = newScheduleOf(
  {
    ...emptyForm,
    label: 'Night',
    startTime: '22:00',
    endTime: '04:30',
    repeatType: 'weekly',
    days: ['Sat'],
    ends: 'never'
  },
  target,
  'me'
)
const made = scheduleRecord({
  label: 'Night',
  deviceId: { _id: 'd', deviceName: 'Wall fan', setName: '' },
  switchId: { _id: 's', switchName: 'Lamp' },
  switchIndex: 2,
  startTime: '22:00',
  endTime: '04:30',
  repeatType: 'weekly',
  repeatDays: ['Sat']
})

test('a schedule with exactly that content is the one that was to be created', () => {
  expect(hasSameContent(made, wanted)).toBe(true)
  expect(hasSameContent({ ...made, label: 'Unnamed Schedule' }, { ...wanted, label: '' })).toBe(true)
})

test.each([
  { label: 'Evening' },
  { isActive: false },
  { switchId: null },
  { deviceId: null },
  { startTime: '22:15' },
  { endAction: 'on' as const },
  { endDate: '2026-12-31' },
  { repeatDays: ['Sun' as const] }
])('one with %j is another', (other) => {
  expect(hasSameContent({ ...made, ...other }, wanted)).toBe(false)
})
