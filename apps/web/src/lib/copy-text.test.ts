import { afterEach, expect, test, vi } from 'vitest'
import { copyText } from './copy-text.ts'

const mac = '34:98:7A:0C:51:E2'

afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(document, 'execCommand')
})

test.each([true, false])('without the Clipboard API it tells whether the browser copied the text: %s', async (did) => {
  vi.stubGlobal('navigator', {})
  const selected: (string | undefined)[] = []
  const execCommand = () => {
    const field = document.querySelector('textarea')
    selected.push(field?.value.slice(field.selectionStart, field.selectionEnd))
    return did
  }
  Object.assign(document, { execCommand })
  expect(await copyText(mac)).toBe(did)
  expect(selected).toEqual([mac])
  expect(document.querySelector('textarea')).toBeNull()
})

test.each([
  [true, async () => undefined],
  [false, async () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'))]
])('with it, too: %s', async (did, writeText) => {
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  expect(await copyText(mac)).toBe(did)
})
