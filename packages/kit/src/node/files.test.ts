import { expect, it } from 'vitest'
import { isReadableFile } from './files.ts'

it('distinguishes a file from anything else', () => {
  const { filename, dirname } = import.meta
  expect([filename, dirname, `${filename}/below`, ''].map(isReadableFile)).toEqual([true, false, false, false])
})
