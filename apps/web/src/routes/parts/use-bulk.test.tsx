import { fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { boardRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { useBulk } from './use-bulk.tsx'

const boards = ['1', '2'].map((digit) => boardRecord({ _id: digit.repeat(24) }))
const ids = boards.map(({ _id }) => _id)

/** A list of online boards, of which the second one goes offline. */
function Boards() {
  const [rows, setRows] = useState(boards)
  const { actions, dialog } = useBulk({ query: { status: 'online' }, filters: {}, rows })
  const zone = actions.find(({ id }) => id === 'zone')
  return (
    <>
      <button type="button" onClick={() => void zone?.run({ ids, rows, isAll: false, count: 2 })}>
        Choose
      </button>
      <button type="button" onClick={() => setRows(boards.slice(0, 1))}>
        Offline
      </button>
      {dialog}
    </>
  )
}

test('a chosen board that no longer matches the filter of the list is changed all the same', async () => {
  const app = await createTestApp({
    areas: ['table', 'rules', 'staff', 'fleet', 'colours', 'devices'],
    server: ({ url, body }) => {
      const { deviceIds = [] } = JSON.parse(typeof body === 'string' ? body : '{}') as { deviceIds?: string[] }
      return { data: url.includes('preview') ? { total: deviceIds.length, excluded: [] } : { id: 'r1', total: 2 } }
    }
  })
  app.show(<Boards />)
  fireEvent.click(screen.getByText('Choose'))
  await screen.findByRole('button', { name: 'Change 2 boards' })
  fireEvent.click(screen.getByText('Offline'))
  fireEvent.click(await screen.findByRole('button', { name: 'Change 2 boards' }))
  const sent = () => app.requests.find(({ method, url }) => method === 'post' && url.endsWith('/bulk/devices'))
  await waitFor(() => expect(sent()?.body).toContain(`"deviceIds":["${ids.join('","')}"]`))
})
