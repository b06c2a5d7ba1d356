import type { ActionLogRecord } from '@batti/contracts'
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { actionLogRecord, sita } from '#web/test/fixtures.ts'
import { textsOf } from '#web/test/texts-of.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { narrowScreen } from '#web/lib/use-media.ts'
import { Screen } from './logs.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
})

const now = 1_800_000_000_000

const row = (_id: string, changes: Partial<ActionLogRecord>) => actionLogRecord({ _id, ...changes })
const logs = [
  row('1', {}),
  row('2', { description: 'Ceiling fan speed set to 140' }),
  row('3', { kind: 'missed', description: 'Kettle was not turned ON at 06:15: Kitchen wall was offline' }),
  row('4', { kind: 'notice', description: 'Anil cleared the whole action log', userName: '' })
]

async function show({ found = 'grid' } = {}) {
  const app = await createTestApp({
    language: 'ne',
    areas: textsOf('/admin/logs'),
    server: () => ({ data: { logs, total: logs.length, page: 1, limit: 200, totalPages: 1 } })
  })
  const token = accessToken({ role: 'admin', iatMs: now, expMs: now + 900_000 })
  app.session.signIn({ accessToken: token, refreshToken: 'r1' }, { ...sita, role: 'admin', permissions: [] })
  app.show(<Screen />)
  await (found === 'grid' ? screen.findByRole('grid') : screen.findByRole('heading', { name: found }))
}
const rowOf = (text: string) => {
  const found = screen.getByText(text).closest('tr')
  if (found === null) throw new Error(`${text} is in no row`)
  return found
}

test('the sentences of the log are in the language of the page, in the list, in a row’s dialog and in its filter', async () => {
  await show()
  expect(screen.queryByText(/turned|speed set|cleared/)).toBeNull()
  rowOf('Ceiling fan को गति १४० भयो')
  rowOf('Kettle बल्यो')
  rowOf('Anil ले सबै कार्य अभिलेख मेटाउनुभयो')
  expect(screen.getByText(/०६:१५/)).toBeTruthy()
  fireEvent.doubleClick(rowOf('Kettle बल्यो'))
  await screen.findByRole('dialog', { name: 'Kettle बल्यो' })
  fireEvent.change(screen.getByRole('searchbox', { hidden: true }), { target: { value: 'बल्यो' } })
  expect(screen.queryByText(/१४०/)).toBeNull()
})

test('a card on a phone is headed by what happened, as nobody did what a schedule or the wall did', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === narrowScreen,
    addEventListener: () => undefined,
    removeEventListener: () => undefined
  }))
  await show({ found: 'Ceiling fan को गति १४० भयो' })
  const cards = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  // Neither a name nor a number: that line is left out.
  expect(cards.at(-1)).not.toContain('–')
  expect(cards[1]).toContain('Sita Sharma')
})
