import { minuteMs } from '@batti/kit/durations'
import { createFakeClock } from '@batti/kit/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { saveTable } from './save-table.ts'

/** Saves a table. Returns the files that the browser can still read, and the clock. */
function save(csv: string) {
  const clock = createFakeClock()
  const files = new Map<string, Blob>()
  vi.stubGlobal('URL', {
    createObjectURL: (blob: Blob) => {
      files.set('#', blob)
      return '#'
    },
    revokeObjectURL: (url: string) => files.delete(url)
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  saveTable(csv, 'rooms.csv', clock)
  return { clock, files }
}

test('a table begins with the byte order mark by which Excel recognizes UTF-8', async () => {
  const { files } = save('name\r\nभान्सा\r\n')
  const bytes = new Uint8Array((await files.get('#')?.arrayBuffer()) ?? [])
  expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)).toMatch(/^\uFEFFname\r\n/)
})

test('the file is there for a browser that reads it after the press, and its memory is returned later', () => {
  const { clock, files } = save('name')
  expect(files.size).toBe(1)
  clock.advance(minuteMs)
  expect(files.size).toBe(0)
})
