import { testFolder } from '@batti/kit/node/testing'
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { ensureCertificates } from './certificates.ts'

let folder: string
beforeEach(() => {
  folder = testFolder('authorities')
})

describe('a clock that does not know the time yet', () => {
  const ensure = (now: number) => ensureCertificates({ folder, addresses: [], now })
  const [before, after] = [Date.UTC(1970, 0, 2), Date.now()]

  it('is named at a first start, which makes nothing: once it is right, that would have expired', async () => {
    await expect(ensure(before)).rejects.toThrow(/^The clock of this machine says 1970-01-02, .* set it,/)
    const { caFile } = await ensure(after)
    expect(new X509Certificate(readFileSync(caFile)).validToDate.getTime()).toBeGreaterThan(after)
  })

  it('does not keep a home from its start that has a CA', async () => {
    await ensure(after)
    expect((await ensure(before)).made).toBe(false)
  })
})
