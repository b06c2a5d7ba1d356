import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { ErrorBoundary } from './error-boundary.tsx'

function Faulty({ message }: { message: string }): never {
  throw new Error(message)
}

test.each([
  ['Failed to fetch dynamically imported module: /assets/logs.js', 'This did not load', 'Try again'],
  ['Importing a module script failed.', 'This did not load', 'Try again'],
  ["Cannot read properties of undefined (reading 'name')", 'Something broke on this page', 'Reload the page']
])('%s is told as: %s', async (message, heading, way) => {
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => {})
  const app = await createTestApp()
  app.show(
    <ErrorBoundary>
      <Faulty message={message} />
    </ErrorBoundary>
  )
  expect(screen.getByRole('heading').textContent).toBe(heading)
  screen.getByRole('button', { name: way })
  quiet.mockRestore()
})
