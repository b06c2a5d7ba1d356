import { dayMs } from '@batti/kit/durations'
import { rm, writeFile } from 'node:fs/promises'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeCertificate } from '../../test/rig.ts'
import { readCertificate, type Certificate } from './certificate.ts'

describe("the broker's certificate", () => {
  let files: Awaited<ReturnType<typeof makeCertificate>>
  let certificate: Certificate
  let now: number
  let looks: number
  let said: string[]
  let used: string[]
  let stop = (): void => {}

  beforeEach(async () => {
    files = await makeCertificate()
    looks = 0
    said = []
    used = []
    const log = pino({}, { write: (line) => said.push((JSON.parse(line) as { msg: string }).msg) })
    certificate = await readCertificate({
      files,
      putToUse: ({ cert }) => void used.push(cert),
      log,
      clock: {
        // Each check reads the clock.
        now: () => {
          looks += 1
          return now
        },
        monotonic: () => 0
      }
    })
    now = certificate.expiresAt() - 22 * dayMs
  })
  afterEach(async () => {
    stop()
    await files.remove()
  })
  const watch = (): void => {
    stop = certificate.watch(1)
  }
  const someLooks = async (): Promise<void> => {
    const before = looks
    await expect.poll(() => looks).toBeGreaterThan(before + 5)
  }

  it('is checked again after its file was missing for a moment', async () => {
    watch()
    await rm(files.certFile)
    await someLooks()
    expect(used).toEqual([])
    const renewed = await files.renew('renewed.test')
    await expect.poll(() => used).toContain(renewed)
    await expect.poll(() => certificate.current().cert).toBe(renewed)
  })

  it('stays in use when the new one is invalid', async () => {
    await rm(files.keyFile)
    expect(await certificate.renew()).toBe(false)
    expect(certificate.current().cert).toBe(files.cert)
    expect(said).toEqual(['certificate not renewed; the old one stays'])
    await writeFile(files.keyFile, certificate.current().key)
    expect(await certificate.renew()).toBe(true)
  })

  it('is reported once a day from three weeks before its end', async () => {
    const soon = 'the certificate expires soon: renew it, then SIGHUP'
    watch()
    expect(said).toEqual(['certificate in use'])
    now += dayMs - 1
    await someLooks()
    expect(said).toEqual(['certificate in use'])
    now += 2
    await expect.poll(() => said).toEqual(['certificate in use', soon])
    await someLooks()
    now += dayMs
    await expect.poll(() => said).toEqual(['certificate in use', soon, soon])
    await someLooks()
    expect(said).toHaveLength(3)
  })
})
