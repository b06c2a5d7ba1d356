import { expect, test, vi } from 'vitest'
import { saveTable } from './save-table.ts'

test('a table begins with the byte order mark by which Excel recognizes UTF-8', async () => {
  const saved: Blob[] = []
  vi.stubGlobal('URL', { createObjectURL: (blob: Blob) => saved.push(blob) && '#', revokeObjectURL: () => undefined })
  saveTable('name\r\nभान्सा\r\n', 'rooms.csv')
  vi.unstubAllGlobals()
  const [blob] = saved
  const bytes = new Uint8Array((await blob?.arrayBuffer()) ?? [])
  expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)).toMatch(/^\uFEFFname\r\n/)
})
