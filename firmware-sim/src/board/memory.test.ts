import { testFolder } from '@batti/kit/node/testing'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFakeClock } from '@batti/kit/testing'
import { expect, it } from 'vitest'
import { createFileFlash } from './flash.ts'
import { createMemory } from './memory.ts'

const mac = '34:98:7A:0C:51:E2'

it('what was not written yet is lost with the power', () => {
  const folder = testFolder('memory')
  const clock = createFakeClock()
  let serverOffsetMs = 1
  const memory = createMemory(createFileFlash(folder, mac), clock, () => ({ serverOffsetMs }))
  memory.keep({})
  serverOffsetMs = 2
  memory.keepSoon()
  memory.lose()
  clock.advance(2000)
  memory.settle()
  expect(createFileFlash(folder, mac).load()).toMatchObject({ record: { serverOffsetMs: 1 } })
})

it('a flash that cannot be written is no end of the board: it writes what is newest as soon as it can', () => {
  const parent = testFolder('memory')
  const folder = join(parent, 'boards')
  const clock = createFakeClock()
  let serverOffsetMs = 1
  const memory = createMemory(createFileFlash(folder, mac), clock, () => ({ serverOffsetMs }))
  // A file in the place of its folder stands for a full disk.
  writeFileSync(folder, '')
  memory.keepSoon()
  clock.advance(2000)
  // It is stopped, too.
  memory.settle()
  memory.keepSoon()
  serverOffsetMs = 2
  clock.advance(2000)
  rmSync(folder)
  clock.advance(2000)
  expect(createFileFlash(folder, mac).load()).toMatchObject({ record: { serverOffsetMs: 2 }, damage: null })
})
