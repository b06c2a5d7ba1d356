import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { switchRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { useSwitches } from './list-switches.ts'

function Shown() {
  const { data } = useSwitches()
  return <output>{data?.map(({ switchName }) => switchName).join()}</output>
}

const limit = 3

test.each([0, 3, 7])('of %i switches none is left out, however many a page of the list holds', async (total) => {
  const names = Array.from({ length: total }, (_, index) => `Lamp ${index}`)
  const app = await createTestApp({
    server: ({ url }) => {
      const page = Number(new URL(url, 'http://batti.test').searchParams.get('page') ?? 1)
      const own = names.map((switchName, index) => switchRecord({ _id: `s${index}`, switchName }))
      const switches = own.slice((page - 1) * limit, page * limit)
      return { data: { data: switches, switches, total, page, limit, totalPages: Math.ceil(total / limit) } }
    }
  })
  app.show(<Shown />)
  await expect.poll(() => app.requests).toHaveLength(Math.max(1, Math.ceil(total / limit)))
  await expect.poll(() => screen.getByRole('status').textContent).toBe(names.join())
})
