import { expect, test } from 'vitest'
import { memoryStorage } from '#web/test/memory-storage.ts'
import { createLanguageStore } from './language-store.ts'

/** A store of English texts whose shell is loaded; those of `late` are loaded once they are let go. */
async function open(late: string) {
  const storage = memoryStorage({ language: 'en' })
  const root = document.createElement('html')
  const { promise, resolve } = Promise.withResolvers<void>()
  const language = createLanguageStore({
    storage,
    browserLanguages: [],
    root,
    firstTexts: { en: {}, ne: {} },
    loadArea: async (of, area) => {
      if (late === `${of}/${area}`) await promise
      return { [area]: `${area} in ${of}` }
    }
  })
  await language.need(['shell'])
  const shown = () => {
    const { language: of, messages } = language.getState()
    return { of, root: root.lang, stored: storage.getItem('language'), messages }
  }
  return { language, shown, letGo: resolve }
}

test('a page that is opened while another language is loaded has its texts in that language, too', async () => {
  const { language, shown, letGo } = await open('ne/shell')
  const chosen = language.choose('ne')
  await language.need(['rooms'])
  expect(shown().messages).toEqual({ shell: 'shell in en', rooms: 'rooms in en' })
  letGo()
  await chosen
  const messages = { shell: 'shell in ne', rooms: 'rooms in ne' }
  expect(shown()).toEqual({ of: 'ne', root: 'ne', stored: 'ne', messages })
  expect(language.has(['shell', 'rooms'])).toBe(true)
})

test('a page whose texts come after a change of language has them in that language', async () => {
  const { language, shown, letGo } = await open('en/rooms')
  const opened = language.need(['rooms'])
  await language.choose('ne')
  letGo()
  await opened
  expect(shown()).toMatchObject({ of: 'ne', messages: { shell: 'shell in ne', rooms: 'rooms in ne' } })
})

test('of two languages the one that was chosen last stays, however late the texts of the other are', async () => {
  const { language, shown, letGo } = await open('ne/shell')
  const first = language.choose('ne')
  await language.choose('en')
  letGo()
  await first
  expect(shown()).toEqual({ of: 'en', root: 'en', stored: 'en', messages: { shell: 'shell in en' } })
})
