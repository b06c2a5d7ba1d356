import { networkError, type HttpRequest } from '@batti/client/transport'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { scheduleRecord, sita } from '#web/test/fixtures.ts'
import { createTestApp, type TestServer } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { ScheduleDialog } from './schedule-dialog.tsx'

const now = 1_800_000_000_000
const target = { deviceId: 'dddddddddddddddddddddddd', switchId: 'eeeeeeeeeeeeeeeeeeeeeee1', switchIndex: 1 }
const firings = [
  { at: '2026-11-22T12:15:00.000Z', phase: 'start', action: 'on', local: '2026-11-22T18:00+05:45' },
  { at: '2026-11-22T20:15:00.000Z', phase: 'end', action: 'off', local: '2026-11-23T02:00+05:45' }
]
const previewing: TestServer = ({ url }) =>
  url.endsWith('/preview')
    ? { data: { timezone: 'Asia/Kathmandu', firings } }
    : { status: 409, code: 'LIMIT_REACHED', message: 'Wall fan has 50 schedules already. Delete one first.' }

async function open(server: TestServer = previewing, zone?: string) {
  let isClosed = false
  const app = await createTestApp({ areas: ['schedules'], server })
  app.session.signIn({ accessToken: accessToken({ iatMs: now, expMs: now + 900_000 }), refreshToken: 'r1' }, sita)
  const close = () => void (isClosed = true)
  app.show(<ScheduleDialog schedule={null} target={target} targetField={null} zone={zone} onClose={close} />)
  const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
  return {
    ...app,
    fill,
    save: () => fireEvent.click(screen.getByRole('button', { name: 'Save schedule' })),
    isClosed: () => isClosed,
    bodyOf: (end: string) => app.requests.filter(({ url }) => url.endsWith(end)).map(({ body }) => body)
  }
}

test('each error has its own words, and nothing is sent', async () => {
  const { fill, save, requests } = await open()
  save()
  expect(screen.getByRole('alert').textContent).toBe('Start time, start action, end time, and end action are required.')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Start')))
  fill('Start', '18:00')
  fill('End', '02:00')
  fireEvent.click(screen.getByRole('radio', { name: 'Weekly' }))
  save()
  expect(screen.getByRole('alert').textContent).toBe('Please select at least one day for a weekly repeat.')
  fireEvent.click(screen.getByRole('checkbox', { name: 'Monday' }))
  save()
  expect(screen.getByRole('alert').textContent).toBe('Please select an end date for repeating schedules.')
  expect(requests.filter(({ url }) => url.endsWith('/schedules'))).toEqual([])
})

test.each([
  ['Pacific/Pago_Pago', -11],
  ['Pacific/Kiritimati', 14]
])('the selectable days begin with today where the board is (%s)', async (zone, hours) => {
  const { clock } = await open(previewing, zone)
  const there = new Date(clock.now() + hours * 3_600_000).toISOString().slice(0, 10)
  expect(screen.getByLabelText(/^Date/)).toHaveProperty('min', there)
})

test('the next firings are shown in the home’s zone before saving, once typing has paused', async () => {
  const { fill, clock, bodyOf } = await open()
  fill('Start', '18:00')
  fill('End', '02:00')
  screen.getByText('Lasts 8 hrs, into the next day.')
  expect(bodyOf('/preview')).toEqual([])
  act(() => clock.advance(350))
  const preview = within(screen.getByRole('region', { name: 'Next firings' }))
  await preview.findByText('18:00 · On')
  expect(preview.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Sun 22 Nov18:00 · On',
    'Mon 23 Nov02:00 · Off'
  ])
  preview.getByText('Asia/Kathmandu')
})

test('a repeat without end is saved without an end date, as the specified body', async () => {
  const { fill, save, bodyOf, isClosed } = await open(({ url }) =>
    url.endsWith('/preview') ? { data: { timezone: 'UTC', firings: [] } } : { data: savedSchedule }
  )
  fill('Label', ' Evening ')
  fill('Start', '18:00')
  fill('End', '02:00')
  fireEvent.click(screen.getByRole('radio', { name: 'Daily' }))
  fireEvent.click(screen.getByRole('radio', { name: 'Without end' }))
  save()
  await waitFor(() => expect(isClosed()).toBe(true))
  expect(bodyOf('/schedules').map((body) => JSON.parse(typeof body === 'string' ? body : ''))[0]).toEqual({
    ...target,
    userId: sita._id,
    label: 'Evening',
    startTime: '18:00',
    endTime: '02:00',
    startAction: 'on',
    endAction: 'off',
    intervalSeconds: 28_800,
    repeatType: 'daily',
    repeatDays: [],
    endDate: null
  })
})

test('a refusal of the server is shown, and no input is lost', async () => {
  const { fill, save, isClosed } = await open()
  fill('Start', '18:00')
  fill('End', '02:00')
  save()
  await screen.findByText('Wall fan has 50 schedules already. Delete one first.')
  expect(isClosed()).toBe(false)
  expect(screen.getByLabelText('Start')).toHaveProperty('value', '18:00')
})

test('a field that the server refuses is marked, and has the focus', async () => {
  const message = 'The end date has passed.'
  const refusal = { status: 400, code: 'VALIDATION', message, errors: [{ path: 'endDate', message }] }
  const { fill, save } = await open((request) => (request.url.endsWith('/schedules') ? refusal : previewing(request)))
  fill('Start', '18:00')
  fill('End', '02:00')
  save()
  await screen.findByText(message)
  const date = screen.getByLabelText(/^Date/)
  expect(date.getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(date)
})

test('while it is saved again, the earlier refusal is gone, so that the next one is announced too', async () => {
  const refusal = { status: 503, code: 'UNAVAILABLE', message: 'Away' }
  const second = Promise.withResolvers<typeof refusal>()
  const answers = [refusal, second.promise]
  const { fill, save } = await open((request) =>
    request.url.endsWith('/schedules') ? (answers.shift() ?? refusal) : previewing(request)
  )
  fill('Start', '18:00')
  fill('End', '02:00')
  save()
  await screen.findByRole('alert')
  save()
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  second.resolve(refusal)
  await screen.findByRole('alert')
})

test('an edit sends only the changed fields', async () => {
  const app = await createTestApp({
    areas: ['schedules'],
    server: ({ url }) => (url.endsWith('/known') ? { data: savedSchedule } : previewing({ url } as HttpRequest))
  })
  app.session.signIn({ accessToken: accessToken({ iatMs: now, expMs: now + 900_000 }), refreshToken: 'r1' }, sita)
  app.show(<ScheduleDialog schedule={savedSchedule} target={target} targetField={null} onClose={() => {}} />)
  fireEvent.change(screen.getByLabelText('Label'), { target: { value: 'Dusk' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save schedule' }))
  await waitFor(() => expect(app.requests.find(({ method }) => method === 'patch')?.body).toBe('{"label":"Dusk"}'))
})

test('a change whose answer was lost is sent again as it was, once it is taken back', async () => {
  let tries = 0
  const app = await createTestApp({
    areas: ['schedules'],
    server: (request) => {
      if (request.method !== 'patch') return previewing(request)
      return ++tries === 1 ? Promise.reject(networkError(null)) : { data: savedSchedule }
    }
  })
  app.session.signIn({ accessToken: accessToken({ iatMs: now, expMs: now + 900_000 }), refreshToken: 'r1' }, sita)
  app.show(<ScheduleDialog schedule={savedSchedule} target={target} targetField={null} onClose={() => {}} />)
  const saveAs = (label: string) => {
    fireEvent.change(screen.getByLabelText('Label'), { target: { value: label } })
    fireEvent.click(screen.getByRole('button', { name: 'Save schedule' }))
  }
  saveAs('Dusk')
  await screen.findByRole('alert')
  saveAs(savedSchedule.label)
  await waitFor(() =>
    expect(app.requests.filter(({ method }) => method === 'patch').map(({ body }) => body)).toEqual([
      '{"label":"Dusk"}',
      JSON.stringify({ label: savedSchedule.label })
    ])
  )
})

test('the preview of an edit names the schedule, so that a run that has begun counts', async () => {
  const app = await createTestApp({ areas: ['schedules'], server: previewing })
  app.session.signIn({ accessToken: accessToken({ iatMs: now, expMs: now + 900_000 }), refreshToken: 'r1' }, sita)
  app.show(<ScheduleDialog schedule={savedSchedule} target={target} targetField={null} onClose={() => {}} />)
  const preview = within(screen.getByRole('region', { name: 'Next firings' }))
  await preview.findByText('18:00 · On')
  const asked = app.requests.find(({ url }) => url.endsWith('/preview'))
  expect(asked?.body).toContain(`"scheduleId":"${savedSchedule._id}"`)
})

test('a schedule whose answer was lost is found, and counts as created', async () => {
  let made: unknown = null
  const { fill, save, isClosed, requests } = await open(({ url, method }) => {
    if (url.endsWith('/preview')) return { data: { timezone: 'UTC', firings: [] } }
    if (method === 'get') return { data: { schedules: [made], total: 1, page: 1, limit: 500, totalPages: 1 } }
    made = {
      ...savedSchedule,
      label: 'Unnamed Schedule',
      repeatType: 'once',
      deviceId: { _id: target.deviceId, deviceName: 'Wall fan', setName: '' },
      switchId: { _id: target.switchId, switchName: 'Lamp' }
    }
    return Promise.reject(networkError(null))
  })
  fill('Start', '18:00')
  fill('End', '02:00')
  save()
  await waitFor(() => expect(isClosed()).toBe(true))
  expect(requests.filter(({ url, method }) => url.endsWith('/schedules') && method === 'post')).toHaveLength(1)
})

const savedSchedule = scheduleRecord({
  switchIndex: 1,
  startTime: '18:00',
  endTime: '02:00',
  intervalSeconds: 28_800
})
