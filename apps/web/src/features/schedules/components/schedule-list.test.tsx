import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useSchedules } from '#web/lib/records/use-schedules.ts'
import { scheduleRecord } from '#web/test/fixtures.ts'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'
import { ToastTexts } from '#web/test/toast-texts.tsx'
import { ScheduleList } from './schedule-list.tsx'

const tea = scheduleRecord({ label: 'Morning tea', startTime: '06:00', endTime: '07:00', intervalSeconds: 3600 })

function Shown() {
  const { data = [] } = useSchedules()
  return <ScheduleList schedules={data} onEdit={() => {}} />
}

test('a schedule that was set passive can be set active at once, while the list is still loading', async () => {
  const asked: unknown[] = []
  let isActive = true
  const app = await createTestApp({
    areas: ['schedules', 'switches', 'devices'],
    server: ({ method, url, body }): Answer | Promise<Answer> => {
      // The list is never answered.
      if (method.toUpperCase() === 'GET') return new Promise<Answer>(() => {})
      if (!url.includes('toggle')) return { status: 404, code: 'NOT_FOUND', message: url }
      asked.push(body)
      isActive = !isActive
      return { data: { ...tea, isActive } }
    }
  })
  app.queryClient.setQueryData(queryKeys.schedules, [tea])
  app.show(<Shown />)
  // Its accessible name stays the schedule's: a screen reader adds "on" and "off" itself.
  fireEvent.click(await screen.findByRole('switch', { name: 'Morning tea', checked: true }))
  fireEvent.click(await screen.findByRole('switch', { name: 'Morning tea', checked: false }))
  await screen.findByRole('switch', { name: 'Morning tea', checked: true })
  // The wanted state is sent: pressed again after a lost answer, it does not flip.
  expect(asked).toEqual(['{"isActive":false}', '{"isActive":true}'])
})

test('where the phone is in another zone than the home, its card says whose times they are', async () => {
  const app = await createTestApp({ areas: ['schedules', 'switches', 'devices'] })
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  const own = { _id: 'a'.repeat(24), label: 'Own', timezone: here }
  app.show(
    <ScheduleList schedules={[scheduleRecord({ timezone: 'Asia/Katmandu' }), scheduleRecord(own)]} onEdit={() => {}} />
  )
  expect(screen.getAllByText(/^Times of /).map(({ textContent }) => textContent)).toEqual(['Times of Asia/Kathmandu'])
})

test('a switch without a name is called in Nepali what its place is called, once', async () => {
  const app = await createTestApp({ areas: ['schedules', 'switches', 'devices'], language: 'ne' })
  const switchId = { _id: 's'.repeat(24), switchName: 'Switch 3' }
  app.show(<ScheduleList schedules={[scheduleRecord({ switchId, switchIndex: 2 })]} onEdit={() => {}} />)
  expect(screen.getByRole('article').textContent).toContain('स्विच ३')
  expect(screen.queryByText(/Switch 3/)).toBeNull()
})

test('of many schedules, those of a switch or board are found by typing, and the others come back', async () => {
  const app = await createTestApp({ areas: ['schedules', 'schedule-list', 'switches', 'devices'] })
  const many = Array.from({ length: 13 }, (_, at) =>
    scheduleRecord({
      _id: at.toString(16).padStart(24, '0'),
      label: `Plan ${at}`,
      switchId: { _id: 's'.repeat(24), switchName: at === 4 ? 'Water pump' : 'Lamp' }
    })
  )
  app.show(<ScheduleList schedules={many} onEdit={() => {}} />)
  const field = screen.getByRole('searchbox', { name: 'Search by name, switch or board' })
  fireEvent.change(field, { target: { value: 'pump' } })
  expect(screen.getAllByRole('article')).toHaveLength(1)
  screen.getByText('1 schedule')
  fireEvent.change(field, { target: { value: 'nothing like it' } })
  expect(screen.queryAllByRole('article')).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Show all' }))
  expect(screen.getAllByRole('article')).toHaveLength(13)
})

test('schedules are found by what their cards show in Nepali', async () => {
  const app = await createTestApp({ areas: ['schedules', 'schedule-list', 'switches', 'devices'], language: 'ne' })
  const many = Array.from({ length: 13 }, (_, at) =>
    scheduleRecord({
      _id: at.toString(16).padStart(24, '0'),
      label: at === 4 ? 'Unnamed Schedule' : `Plan ${at}`,
      switchId: { _id: 's'.repeat(24), switchName: at === 5 ? 'Switch 3' : 'Lamp' }
    })
  )
  app.show(<ScheduleList schedules={many} onEdit={() => {}} />)
  for (const text of ['स्विच ३', 'नाम नराखिएको']) {
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: text } })
    expect(screen.getAllByRole('article')).toHaveLength(1)
  }
})

test('a key is in the field before the cards are searched', async () => {
  const app = await createTestApp({ areas: ['schedules', 'schedule-list', 'switches', 'devices'] })
  const many = Array.from({ length: 13 }, (_, at) =>
    scheduleRecord({ _id: at.toString(16).padStart(24, '0'), label: `Plan ${at}` })
  )
  app.show(<ScheduleList schedules={many} onEdit={() => {}} />)
  const field = screen.getByRole<HTMLInputElement>('searchbox')
  // Outside of `act`, which waits for all that a key causes.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  onTestFinished(() => void vi.unstubAllGlobals())
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'plan 7')
  field.dispatchEvent(new Event('input', { bubbles: true }))
  await Promise.resolve()
  expect(field.value).toBe('plan 7')
  expect(screen.getAllByRole('article')).toHaveLength(13)
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1))
})

test('of hundreds of schedules the first are drawn; more come on demand, and the keyboard continues there', async () => {
  const app = await createTestApp({ areas: ['schedules', 'schedule-list', 'switches', 'devices'] })
  const many = Array.from({ length: 60 }, (_, at) =>
    scheduleRecord({ _id: at.toString(16).padStart(24, '0'), label: `Plan ${String(at).padStart(2, '0')}` })
  )
  app.show(<ScheduleList schedules={many} onEdit={() => {}} />)
  const cards = () => screen.getAllByRole('article')
  expect(cards()).toHaveLength(48)
  screen.getByText('48 of 60')
  const field = screen.getByRole('searchbox', { name: 'Search by name, switch or board' })
  fireEvent.change(field, { target: { value: 'plan 55' } })
  expect(cards()).toHaveLength(1)
  fireEvent.change(field, { target: { value: '' } })
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }))
  expect(cards()).toHaveLength(60)
  expect(document.activeElement?.contains(cards()[48] ?? null)).toBe(true)
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('a few schedules have no search', async () => {
  const app = await createTestApp({ areas: ['schedules', 'schedule-list', 'switches', 'devices'] })
  app.show(<ScheduleList schedules={[tea]} onEdit={() => {}} />)
  expect(screen.getAllByRole('article')).toHaveLength(1)
  expect(screen.queryByRole('searchbox')).toBeNull()
})

test('who stops a schedule between its start and its end is told that the end does not come', async () => {
  const running = { ...tea, nextRunAt: '2026-11-22T01:15:00.000Z' }
  const planned = scheduleRecord({ _id: 'p'.repeat(24), label: 'Planned', nextRunAt: '2026-11-22T12:30:00.000Z' })
  const app = await createTestApp({
    areas: ['schedules', 'switches', 'devices'],
    server: () => ({ data: { ...running, isActive: false, nextRunAt: null } })
  })
  app.show(
    <>
      <ScheduleList schedules={[running, planned]} onEdit={() => {}} />
      <ToastTexts />
    </>
  )
  const sentence = 'Its end at 07:00 will not come: the switch stays as it is.'
  fireEvent.click(screen.getByRole('button', { name: 'Delete Morning tea' }))
  const question = await screen.findByRole('alertdialog')
  expect(question.textContent).toContain(sentence)
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Planned' }))
  expect((await screen.findByRole('alertdialog')).textContent).not.toContain('will not come')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  fireEvent.click(await screen.findByRole('switch', { name: 'Morning tea' }))
  await screen.findByText(sentence)
})
