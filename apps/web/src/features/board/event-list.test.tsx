import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { EventList } from './components/board-records.tsx'

const at = '2026-11-22T12:00:00.000Z'

test('the events of a board are in the page’s language, including their details', async () => {
  const app = await createTestApp({ language: 'ne', areas: ['board', 'devices', 'firmware'] })
  app.show(
    <EventList
      events={[
        { at, kind: 'firmware', detail: 'failed: checksum' },
        { at, kind: 'firmware', detail: 'done' },
        { at, kind: 'config', detail: 'colour, time zone' },
        { at, kind: 'schedules', detail: '3 schedules' },
        { at, kind: 'released', detail: 'moved' },
        { at, kind: 'refused', detail: 'CONNECT refused' },
        { at, kind: 'firmware', detail: 'failed: of a later version' }
      ]}
    />
  )
  const details = screen.getAllByRole('listitem').map((row) => row.querySelector('span span')?.textContent)
  expect(details).toEqual([
    'भएन: फाइल बिग्रिएर आयो',
    'भयो',
    'रङ, समय क्षेत्र',
    '३ समयतालिका',
    'अर्को खातामा सारियो',
    'गलत पासवर्डले जोडिन खोजियो',
    'भएन: of a later version'
  ])
})
