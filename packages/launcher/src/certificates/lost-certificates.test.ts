import { testFolder } from '@batti/kit/node/testing'
import { createFakeClock } from '@batti/kit/testing'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSettings } from '../config.ts'
import { createProgress } from '../launch/progress.ts'
import { certificateFaults } from '../upkeep/doctor/certificate-faults.ts'
import { createLaunchCertificates } from './launch-certificates.ts'

/** A data folder, with a database if `isUsed`, and what a start of it says about its certificates. */
function home({ isUsed }: { isUsed: boolean }) {
  const data = testFolder('lost-certificates')
  mkdirSync(join(data, 'db'))
  if (isUsed) writeFileSync(join(data, 'db', 'batti.db'), 'a database')
  const clock = createFakeClock(Date.now())
  let said = ''
  const terminal = { isTTY: false, write: (text: string) => void (said += text) }
  const prepare = async (): Promise<string> => {
    const progress = createProgress({ clock, terminal })
    const certificates = createLaunchCertificates({ data, settings: readSettings({}), clock, progress })
    await certificates.prepare([])
    certificates.stop()
    const words = said
    said = ''
    return words
  }
  return { data, prepare, faults: () => certificateFaults(data, null, clock.now()) }
}

describe('the folder of the certificates', () => {
  it('is a fault when it is missing beside a database, and its start says that the boards do not trust the new CA', async () => {
    const { data, prepare, faults } = home({ isUsed: true })
    expect(faults()).toEqual([
      {
        what: 'The CA that boards trust is missing',
        where: join(data, 'certs', 'ca.pem'),
        do: expect.stringContaining('from a backup')
      }
    ])
    expect(await prepare()).toContain(`${join(data, 'certs')} had no CA, and has a new one`)
    expect(await prepare()).not.toContain('had no CA')
    expect(faults()).toEqual([])
  })

  it('is made at a first start without a word about boards, and is no fault before', async () => {
    const { prepare, faults } = home({ isUsed: false })
    expect(faults()).toEqual([])
    expect(await prepare()).not.toContain('had no CA')
  })
})
