import { describe, expect, test } from 'vitest'
import { messages } from '#web/i18n/en/schedules.ts'
import { changesOf, emptyForm, faultOf, newScheduleOf, previewOf, type ScheduleForm } from './schedule-form.ts'
import { partsOfDay } from './schedule-times.ts'

const target = { deviceId: 'd', switchId: 's', switchIndex: 2 }
const form = (changes: Partial<ScheduleForm> = {}): ScheduleForm => ({
  ...emptyForm,
  startTime: '18:15',
  endTime: '22:30',
  ...changes
})
const words = (changes: Partial<ScheduleForm>, mode: 'add' | 'edit' = 'add') => {
  const fault = faultOf(form(changes), mode, target)
  return fault === null ? null : Object.entries(messages).find(([id]) => id === fault)?.[1]
}

describe('adding a schedule', () => {
  test('needs a switch', () => {
    expect(faultOf(form(), 'add', null)).toBe('schedules.needSwitch')
    expect(messages['schedules.needSwitch']).toBe('You must provide switchId and switchIndex to set a schedule!')
  })
  test.each([{ startTime: '' }, { endTime: '' }, { startAction: '' as const }, { endAction: '' as const }])(
    'needs times and actions: %j',
    (missing) => {
      expect(words(missing)).toBe('Start time, start action, end time, and end action are required.')
    }
  )
  test('weekly needs a day', () => {
    expect(words({ repeatType: 'weekly', ends: 'never' })).toBe('Please select at least one day for a weekly repeat.')
    expect(words({ repeatType: 'weekly', ends: 'never', days: ['Mon'] })).toBeNull()
  })
  test('a repeat needs an end date, unless it is without end', () => {
    expect(words({ repeatType: 'daily' })).toBe('Please select an end date for repeating schedules.')
    expect(words({ repeatType: 'daily', endDate: '2027-01-01' })).toBeNull()
    expect(words({ repeatType: 'daily', ends: 'never' })).toBeNull()
  })
  test('once needs neither', () => {
    expect(words({})).toBeNull()
  })
  test('start and end must differ', () => {
    expect(words({ endTime: '18:15' })).toBe('Start time and end time must differ.')
  })
})

test('editing also needs a label', () => {
  expect(words({ label: '  ' }, 'edit')).toBe(messages['schedules.needAll'])
  expect(words({ label: 'Evening' }, 'edit')).toBeNull()
})

describe('the request', () => {
  test('is the specified body, days in the week’s order, the duration past midnight', () => {
    const weekly = form({
      label: ' Night ',
      startTime: '22:00',
      endTime: '04:30',
      repeatType: 'weekly',
      days: ['Sat', 'Sun', 'Tue'],
      endDate: '2027-01-01'
    })
    expect(newScheduleOf(weekly, target, 'me')).toEqual({
      userId: 'me',
      ...target,
      startTime: '22:00',
      endTime: '04:30',
      startAction: 'on',
      endAction: 'off',
      repeatType: 'weekly',
      repeatDays: ['Sun', 'Tue', 'Sat'],
      endDate: '2027-01-01',
      intervalSeconds: 23_400,
      label: 'Night'
    })
  })
  test('has no end date when it repeats without end, whatever date was there before', () => {
    expect(changesOf(form(), form({ repeatType: 'daily', ends: 'never', endDate: '2027-01-01' })).endDate).toBeNull()
  })
  test('keeps no days of a repeat that is not weekly', () => {
    expect(changesOf(form(), form({ repeatType: 'daily', ends: 'never', days: ['Mon'] })).days).toEqual([])
  })
})

describe('the request to change a schedule', () => {
  const weekly = form({ label: 'Tea', repeatType: 'weekly', days: ['Mon'], endDate: '2027-01-01' })
  test('contains only what was edited: another phone may have changed the rest', () => {
    expect(changesOf(weekly, weekly)).toEqual({})
    expect(changesOf(weekly, { ...weekly, label: ' Tea ' })).toEqual({})
    expect(changesOf(weekly, { ...weekly, label: 'Chiya' })).toEqual({ label: 'Chiya' })
    expect(changesOf(weekly, { ...weekly, startTime: '18:30' })).toEqual({ startTime: '18:30' })
    expect(changesOf(weekly, { ...weekly, days: ['Tue', 'Mon'] })).toEqual({ days: ['Mon', 'Tue'] })
    expect(changesOf(weekly, { ...weekly, ends: 'never' })).toEqual({ endDate: null })
  })
  test('contains days and end date together with a changed kind of repeat', () => {
    expect(changesOf(weekly, { ...weekly, repeatType: 'once' })).toEqual({
      repeatType: 'once',
      days: [],
      endDate: '2027-01-01'
    })
  })
})

test('the next firings are requested once the times are complete, before an end date is chosen', () => {
  expect(previewOf(form({ startTime: '' }), 'd')).toBeNull()
  expect(previewOf(form(), undefined)).toBeNull()
  expect(previewOf(form({ repeatType: 'weekly' }), 'd')).toBeNull()
  expect(previewOf(form({ repeatType: 'daily' }), 'd')).toMatchObject({ deviceId: 'd', endDate: null })
  expect(previewOf(form(), 'd')).not.toHaveProperty('scheduleId')
  expect(previewOf(form(), 'd', 'edited')).toMatchObject({ deviceId: 'd', scheduleId: 'edited' })
})

describe('a run', () => {
  test('past midnight has two parts of a day', () => {
    expect(partsOfDay('18:00', '06:00')).toEqual([
      { start: 0, width: 0.25 },
      { start: 0.75, width: 0.25 }
    ])
    expect(partsOfDay('18:00', '00:00')).toEqual([{ start: 0.75, width: 0.25 }])
    expect(partsOfDay('06:00', '12:00')).toEqual([{ start: 0.25, width: 0.25 }])
  })
})
