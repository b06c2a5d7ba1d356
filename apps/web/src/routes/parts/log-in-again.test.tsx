import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { sita } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { LogInAgain } from './log-in-again.tsx'

test('the login above a page has the focus, also if its texts were loaded before', async () => {
  const app = await createTestApp({ areas: ['accounts'] })
  app.show(<LogInAgain user={sita} />)
  expect(document.activeElement).toBe(await screen.findByLabelText('Email or phone'))
})

test('the page below is hidden while the login is there, and has its focus and title back after it', async () => {
  const app = await createTestApp({ areas: ['accounts'] })
  document.title = 'Edit room'
  const below = app.show(<input aria-label="Name" />)
  const field = screen.getByLabelText('Name')
  field.focus()
  const login = app.show(<LogInAgain user={sita} />)
  await screen.findByLabelText('Email or phone')
  expect(below.container.style.visibility).toBe('hidden')
  login.unmount()
  expect(below.container.style.visibility).toBe('')
  expect(document.activeElement).toBe(field)
  expect(document.title).toBe('Edit room')
  expect(screen.queryByLabelText('Email or phone')).toBeNull()
})
