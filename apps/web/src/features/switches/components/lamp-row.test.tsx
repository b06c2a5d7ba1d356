import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { boardRecord, switchRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { LampRow } from './lamp-row.tsx'

test('the time since when a lamp is on is never cut: its hour comes last', async () => {
  const app = await createTestApp({ areas: ['devices', 'switches', 'on-times'] })
  app.live.seed([boardRecord()])
  app.show(<LampRow record={switchRecord({ status: true })} onSince={app.clock.now() - 86_400_000} />)
  expect(screen.getByText(/^On since .+, \d\d:\d\d$/).closest('.truncate')).toBeNull()
})

test('its line describes the row: that its board is offline, that it did not answer', async () => {
  const app = await createTestApp({ areas: ['devices', 'switches', 'on-times'] })
  app.live.seed([boardRecord()])
  app.show(<LampRow record={switchRecord()} onSince={undefined} />)
  const row = screen.getByRole('switch')
  const said = () => document.getElementById(row.getAttribute('aria-describedby') ?? '')?.textContent
  expect(said()).toBe('On')
  fireEvent.click(row)
  act(() => app.clock.advance(4000))
  await waitFor(() => expect(said()).toContain('No response from device'))
})

test('is not rendered again with its list', async () => {
  const app = await createTestApp({ areas: ['devices', 'switches', 'on-times'] })
  app.live.seed([boardRecord()])
  let reads = 0
  const record = {
    ...switchRecord(),
    get type() {
      reads += 1
      return 'switch' as const
    }
  }
  function List() {
    const [times, setTimes] = useState(1)
    return (
      <>
        <button onClick={() => setTimes(times + 1)}>{`Shown ${times}`}</button>
        <LampRow record={record} onSince={undefined} />
      </>
    )
  }
  app.show(<List />)
  const before = reads
  fireEvent.click(screen.getByText('Shown 1'))
  screen.getByText('Shown 2')
  expect(reads).toBe(before)
})

test('while its board is offline its button is named as it is seen', async () => {
  const app = await createTestApp({ areas: ['devices', 'switches', 'on-times'] })
  app.live.seed([boardRecord({ isOnline: false })])
  app.show(<LampRow record={switchRecord()} onSince={undefined} />)
  expect(screen.getAllByRole('button', { name: /^Ceiling lamp ?Offline$/, description: '' })).toHaveLength(1)
})

test('a name that the room has twice is shown with its board', async () => {
  const app = await createTestApp({ areas: ['devices', 'switches', 'on-times'] })
  app.live.seed([boardRecord()])
  app.show(<LampRow record={switchRecord()} onSince={undefined} hasBoard />)
  expect(screen.getByRole('switch').textContent).toBe('Ceiling lampOn · Living room wall')
})
