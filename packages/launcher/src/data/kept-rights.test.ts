import { testFolder } from '@batti/kit/node/testing'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { keepsRights } from './kept-rights.ts'

it('a folder whose files keep their rights has nothing left of the try', () => {
  const folder = testFolder('rights')
  expect([keepsRights(folder), readdirSync(folder)]).toEqual([true, []])
})

it('a folder that cannot be written to is another fault', () => {
  const folder = join(testFolder('rights'), 'missing')
  expect([keepsRights(folder), existsSync(folder)]).toEqual([true, false])
})
