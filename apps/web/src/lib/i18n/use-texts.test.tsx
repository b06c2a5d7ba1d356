import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { firstTexts, loadArea } from '#web/i18n/load-area.ts'
import { ServicesProvider } from '#web/lib/services.ts'
import { memoryStorage } from '#web/test/memory-storage.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { createLanguageStore } from './language-store.ts'
import { useTexts } from './use-texts.ts'

function Part() {
  return <p>{useTexts('find') ? 'there' : 'not yet'}</p>
}

test('a part whose texts are loaded is shown at once', async () => {
  const app = await createTestApp({ areas: ['find'] })
  app.show(<Part />)
  expect(screen.getByText('there')).toBeTruthy()
})

test('texts that failed to load are requested again', async () => {
  let lost = 1
  const app = await createTestApp()
  const language = createLanguageStore({
    storage: memoryStorage({ language: 'en' }),
    browserLanguages: [],
    root: document.documentElement,
    firstTexts,
    loadArea: async (...part) => {
      if ((lost -= 1) >= 0) throw new TypeError('Failed to fetch dynamically imported module')
      return loadArea(...part)
    }
  })
  app.show(
    <ServicesProvider value={{ ...app, language }}>
      <Part />
    </ServicesProvider>
  )
  await screen.findByText('not yet')
  await expect.poll(() => lost).toBe(0)
  await act(async () => {
    await Promise.resolve()
    app.clock.advance(5000)
  })
  await screen.findByText('there')
})
