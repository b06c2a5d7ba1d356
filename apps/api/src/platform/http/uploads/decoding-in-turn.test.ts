import express from 'express'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import supertest from 'supertest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUploads } from './uploads.ts'

let folder = ''
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'batti-pictures-'))))
afterAll(() => rm(folder, { recursive: true }))

test('an address whose pictures take long to decode delays another one by one of them, not by all', async () => {
  const begun: string[] = []
  const finish: (() => void)[] = []
  let asked = 0
  const { image } = createUploads({
    folder,
    begin: () => undefined,
    countPicture: () => Promise.resolve(),
    async decode(path) {
      begun.push(await readFile(path, 'utf8'))
      await new Promise<void>((resolve) => finish.push(resolve))
      return Buffer.alloc(0)
    }
  })
  const app = express()
    .set('trust proxy', true)
    .post('/', image('picture'), async (req, res) => {
      asked += 1
      await req.upload?.decode?.()
      res.end()
    })
  const answers: Promise<unknown>[] = []
  for (const [ip, name] of [
    ['203.0.113.1', 'first'],
    ['203.0.113.1', 'second'],
    ['203.0.113.1', 'third'],
    ['203.0.113.2', 'of another']
  ] as const) {
    const form = supertest(app).post('/').set('x-forwarded-for', ip).attach('picture', Buffer.from(name), name)
    answers.push(form.expect(200).then(() => undefined))
    await expect.poll(() => asked).toBe(answers.length)
  }
  for (const index of answers.keys()) {
    await expect.poll(() => finish.length).toBe(index + 1)
    finish[index]?.()
  }
  await Promise.all(answers)
  expect(begun).toEqual(['first', 'of another', 'second', 'third'])
})
