import express from 'express'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { requestLog } from './request-log.ts'

async function loggedUrl(url: string): Promise<string> {
  const lines: string[] = []
  const log = pino(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(String(chunk))
        done()
      }
    })
  )
  await supertest(express().use(requestLog(log)))
    .get(url)
    .expect(404)
  return (JSON.parse(lines[0] ?? '{}') as { req: { url: string } }).req.url
}

test.each([
  ['/x?token=S3CRET&page=2', '/x?token=[redacted]&page=2'],
  ['/x?%74oken=S3CRET', '/x?%74oken=[redacted]'],
  ['/x?access_token=S3CRET', '/x?access_token=[redacted]'],
  ['/x?newPassword=S3CRET;more', '/x?newPassword=[redacted]'],
  ['/x?a=1;token=S3CRET', '/x?a=1;token=[redacted]'],
  ['/x?token%5B%5D=S3CRET', '/x?token%5B%5D=[redacted]'],
  ['/x?a=?TOKEN=S3CRET', '/x?a=?TOKEN=[redacted]'],
  ['/x?%E0%A4%A=1&otp=S3CRET', '/x?%E0%A4%A=1&otp=[redacted]'],
  ['/x?search=lamp;x&sort=-name', '/x?search=lamp;x&sort=-name']
])('the log of %s contains no secret of its query', async (url, logged) => {
  expect(await loggedUrl(url)).toBe(logged)
})
