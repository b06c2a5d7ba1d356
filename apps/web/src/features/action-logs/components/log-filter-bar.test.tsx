import { fireEvent, screen } from '@testing-library/react'
import { Link, useSearchParams } from 'react-router-dom'
import { expect, test } from 'vitest'
import { readFilters, writeFilters } from '#web/features/action-logs/log-filters.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { LogFilterBar } from './log-filter-bar.tsx'

function Page() {
  const [params, setParams] = useSearchParams()
  return (
    <>
      <LogFilterBar
        filters={readFilters(params)}
        switches={[]}
        onChange={(filters) => setParams(writeFilters(filters))}
      />
      <Link to="?day=2026-11-20">one day</Link>
      <Link to="?switch=gone">a switch of a removed board</Link>
      <Link to="?">all</Link>
    </>
  )
}

async function open() {
  const app = await createTestApp({ areas: ['logs'] })
  app.show(<Page />)
}

const follow = (name: string) => fireEvent.click(screen.getByRole('link', { name }))

test('an address with a day shows that day, and one without a day shows none', async () => {
  await open()
  follow('one day')
  expect(screen.getByLabelText('Choose a day')).toHaveProperty('value', '2026-11-20')
  expect(screen.getByRole('button', { name: 'Date: Fri, 20 Nov 2026' })).toBeTruthy()
  follow('all')
  expect(screen.queryByLabelText('Choose a day')).toBeNull()
})

test('the field of a day stays open while its date is changed, and goes when the filters are dropped', async () => {
  await open()
  fireEvent.click(screen.getByRole('button', { name: 'Date' }))
  fireEvent.click(await screen.findByRole('menuitemradio', { name: 'Choose a day' }))
  fireEvent.change(screen.getByLabelText('Choose a day'), { target: { value: '2026-11-21' } })
  fireEvent.change(screen.getByLabelText('Choose a day'), { target: { value: '' } })
  fireEvent.change(screen.getByLabelText('Choose a day'), { target: { value: '2026-11-22' } })
  fireEvent.click(screen.getByRole('button', { name: 'Show everything' }))
  expect(screen.queryByLabelText('Choose a day')).toBeNull()
})

test('a switch that has no name, as its board is removed, is shown as a filter that can be dropped', async () => {
  await open()
  follow('a switch of a removed board')
  fireEvent.click(screen.getByRole('button', { name: 'Switch: One switch' }))
  fireEvent.click(await screen.findByRole('menuitemradio', { name: 'All switches' }))
  expect(screen.getByRole('button', { name: 'Switch' })).toBeTruthy()
})
