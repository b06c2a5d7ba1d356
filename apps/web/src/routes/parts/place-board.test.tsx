import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { boardRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { PlaceBoard } from './place-board.tsx'

const board = boardRecord()
const refusal = (path: string) => ({
  status: 400,
  code: 'VALIDATION',
  message: `${path}: is required`,
  errors: [{ path, message: 'is required' }]
})

test.each([
  ['patch', 'setName', 'Name of the board'],
  ['post', 'roomName', 'Room']
])('a text without a letter that %s refuses as %s is marked', async (refused, path, label) => {
  const app = await createTestApp({
    areas: ['pairing', 'rules'],
    server: ({ method, url }) => {
      if (method === refused) return refusal(path)
      return { data: url.includes('/rooms') ? { rooms: [], total: 0, page: 1, limit: 500, totalPages: 0 } : board }
    }
  })
  const onPlaced = vi.fn<() => void>()
  app.show(<PlaceBoard deviceId={board._id} onPlaced={onPlaced} />)
  fireEvent.change(screen.getByLabelText(label), { target: { value: '\u200B\u200C' } })
  fireEvent.click(screen.getByRole('button'))
  await expect.poll(() => screen.getByLabelText(label).getAttribute('aria-invalid')).toBe('true')
  expect(onPlaced).not.toHaveBeenCalled()
  fireEvent.change(screen.getByLabelText(label), { target: { value: 'Porch' } })
  expect(screen.getByLabelText(label).getAttribute('aria-invalid')).toBeNull()
})
