import { expect, it } from 'vitest'
import { isReadableFile } from './files.ts'

it('tells a file from what is none', () => {
  const { filename, dirname } = import.meta
  expect([filename, dirname, `${filename}/below`, ''].map(isReadableFile)).toEqual([true, false, false, false])
})
