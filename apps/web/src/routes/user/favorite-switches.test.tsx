import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { switchRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { Screen as Favorites } from './favorite-switches.tsx'

test('a favourite that is removed passes the focus on to the next, the last to what is shown instead', async () => {
  let records = ['Porch', 'Hall', 'Gate'].map((switchName, index) =>
    switchRecord({ _id: `65f00000000000000000004${index}`, switchName, switchIndex: index, isFavorite: true })
  )
  const { show } = await createTestApp({
    areas: ['home', 'devices', 'switches', 'schedules', 'on-times'],
    server: ({ method, url }) => {
      if (method !== 'patch')
        return { data: { switches: records, total: records.length, page: 1, limit: 500, totalPages: 1 } }
      const [removed] = records.filter(({ _id }) => url.endsWith(_id))
      records = records.filter((record) => record !== removed)
      return { data: { ...removed, isFavorite: false } }
    }
  })
  show(<Favorites />)
  const list = await screen.findByRole('list', { name: 'Favorite Switches' })
  const remove = async (index: number, left: number) => {
    const item = within(list).getAllByRole('listitem')[index] as HTMLElement
    const heart = within(item).getByRole('button', { name: /favourite/i })
    heart.focus()
    fireEvent.click(heart)
    await waitFor(() => expect(screen.queryAllByRole('listitem')).toHaveLength(left))
    return document.activeElement?.textContent
  }
  expect(await remove(0, 2)).toBe('Hall')
  expect(await remove(1, 1)).toBe('Hall')
  expect(await remove(0, 0)).toBe('Choose from all switches')
})
