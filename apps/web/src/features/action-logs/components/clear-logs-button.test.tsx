import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'
import { ClearLogsButton } from './clear-logs-button.tsx'

test('a late answer does not close the question that was asked again meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const app = await createTestApp({ areas: ['logs'], server: () => promise })
  app.show(<ClearLogsButton />)
  const press = (name: string, where: HTMLElement = document.body) =>
    act(async () => fireEvent.click(within(where).getByRole('button', { name })))
  await press('Clear Logs')
  await press('Clear Logs', screen.getByRole('alertdialog'))
  await press('Cancel')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  await press('Clear Logs')
  await act(async () => resolve({ data: null }))
  screen.getByRole('alertdialog')
})
