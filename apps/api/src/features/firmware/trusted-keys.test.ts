import { testFolder } from '@batti/kit/node/testing'
import { generateKeyPairSync } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFakeClock } from '@batti/kit/testing'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createTrustedKeys } from './trusted-keys.ts'

test('added and removed keys are reported once each', async () => {
  const folder = testFolder('keys')
  const file = join(folder, 'a.pem')
  const clock = createFakeClock()
  let told = 0
  const onChanged = (): void => void (told += 1)
  const keys = createTrustedKeys({ files: [file], clock, log: pino({ enabled: false }), onChanged })
  const look = (): number[] => {
    clock.advance(1000)
    return [keys.current().length, told]
  }
  expect(look()).toEqual([0, 1])
  await writeFile(file, generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }))
  expect(look()).toEqual([1, 2])
  expect(look()).toEqual([1, 2])
  await rm(file)
  expect(look()).toEqual([0, 3])
})
