import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { messageOf } from '../message-of.ts'
import { runToEnd, testFolder } from './testing.ts'

test('a program that a test waits for is ended when it hangs', async () => {
  const hangs = "console.log('ready'); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"
  const hang = async () => runToEnd(process.execPath, ['-e', hangs], { timeoutMs: 3000 })
  // On a slow machine its time can be over before it has said anything.
  await expect.poll(() => hang().then(() => 'it ended', messageOf)).toMatch(/did not end:\nready\n$/)
  const ended = runToEnd(process.execPath, ['-e', "console.log('ready'); process.exit(3)"])
  expect(ended).toMatchObject({ status: 3, stdout: 'ready\n', stderr: '' })
})

describe('the folder of a test', () => {
  let folder = ''
  let wasThereAfterwards = false
  afterEach(() => void (wasThereAfterwards = existsSync(folder)))

  test('holds what the test puts there', () => {
    folder = testFolder('lamps')
    writeFileSync(join(folder, 'lamp'), 'on')
    expect(readdirSync(folder)).toEqual(['lamp'])
  })

  test('is there in its afterEach, and gone when the next one begins', () => {
    expect([wasThereAfterwards, existsSync(folder)]).toEqual([true, false])
  })
})
