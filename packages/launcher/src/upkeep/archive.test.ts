import { testFolder } from '@batti/kit/node/testing'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { create, list } from 'tar'
import { beforeEach, describe, expect, it } from 'vitest'
import { readArchive, writeArchive } from './archive.ts'
import { checksumsOf, differenceFrom, parseManifest, type Manifest } from './manifest.ts'
import { faultOfMove, forgetMove, noteMove, refuseMoved, refuseSecondMove } from './moved.ts'

const about = { version: '1.2.3', madeAt: '2026-01-01T00:00:00.000Z', database: 'embedded' } as const
let home: string
let source: string
let target: string
beforeEach(() => {
  home = testFolder('archive')
  ;[source, target] = [join(home, 'source'), join(home, 'target')]
  mkdirSync(join(source, 'certs'), { recursive: true })
  mkdirSync(target)
  writeFileSync(join(source, 'secrets.json'), '{}', { mode: 0o600 })
  writeFileSync(join(source, 'certs', 'ca.pem'), 'a CA')
})
const file = () => join(home, 'home.tar.gz')

describe('the manifest of an archive', () => {
  const one = (path: string, content: string) => ({ path, bytes: content.length, sha256: content.repeat(64) })
  const manifest: Manifest = { product: 'batti', format: 1, ...about, files: [one('a', '1'), one('b/c', '2')] }

  it.each([
    ['nothing where all is as it was', [one('b/c', '2'), one('a', '1')], null],
    ['what is missing', [one('a', '1')], 'b/c is missing'],
    ['what is another', [one('a', '1'), one('b/c', '3')], 'b/c is not what it was'],
    ['what was put beside', [one('a', '1'), one('b/c', '2'), one('d', '4')], 'd does not belong to it']
  ])('is compared with the files and names %s', (_what, found, difference) => {
    expect(differenceFrom(manifest, found)).toBe(difference)
  })

  it('has the checksum of every file, but not of itself', async () => {
    writeFileSync(join(source, 'manifest.json'), 'of another time')
    expect(await checksumsOf(source)).toEqual([
      {
        path: 'certs/ca.pem',
        bytes: 4,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/)
      },
      { path: 'secrets.json', bytes: 2, sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a' }
    ])
  })

  it.each([
    ['another product', { product: 'other' }],
    ['a later kind', { format: 2 }],
    ['no time', { madeAt: 'yesterday' }],
    ['no such database', { database: 'none' }],
    ['a checksum that is none', { files: [{ path: 'a', bytes: 1, sha256: '12' }] }]
  ])('refuses %s', (_what, change) => {
    expect(parseManifest(JSON.stringify(manifest))).toEqual(manifest)
    expect(() => parseManifest(JSON.stringify({ ...manifest, ...change }))).toThrow()
  })
})

describe('an archive', () => {
  it('is readable by its owner alone, leaves no draft, and is unpacked unchanged', async () => {
    await writeArchive(source, file(), about)
    expect(readdirSync(home).toSorted()).toEqual(['home.tar.gz', 'source', 'target'])
    expect(await readArchive(file(), target)).toMatchObject({ ...about, product: 'batti', format: 1 })
    expect(readFileSync(join(target, 'certs', 'ca.pem'), 'utf8')).toBe('a CA')
    if (process.platform === 'win32') return
    for (const path of [file(), join(target, 'secrets.json'), join(target, 'certs')])
      expect(statSync(path).mode & 0o077, path).toBe(0)
  })

  it('is compressed, and does not name the user of the machine', async () => {
    writeFileSync(join(source, 'certs', 'ca.pem'), 'a CA'.repeat(100_000))
    await writeArchive(source, file(), about)
    expect(statSync(file()).size).toBeLessThan(10_000)
    const owners: string[] = []
    await list({ file: file(), onReadEntry: ({ uid, uname }) => owners.push(`${uname}${uid ?? ''}`) })
    expect(owners).toEqual(['', '', ''])
  })

  it('of almost only zeros, such as padded firmware, is unpacked', async () => {
    truncateSync(join(source, 'secrets.json'), 2 ** 27)
    await writeArchive(source, file(), about)
    expect(await readArchive(file(), target)).toMatchObject(about)
    expect(statSync(join(target, 'secrets.json')).size).toBe(2 ** 27)
  })

  it('is written although a killed backup has left its draft', async () => {
    writeFileSync(join(home, 'home.tar.gz.partial'), 'half an archive')
    await writeArchive(source, file(), about)
    expect(readdirSync(home).toSorted()).toEqual(['home.tar.gz', 'source', 'target'])
    expect(await readArchive(file(), target)).toMatchObject(about)
  })

  it('that cannot be begun is refused with the reason', async () => {
    await expect(writeArchive(source, join(home, 'nowhere', 'home.tar.gz'), about)).rejects.toThrow(
      /ENOENT.*open .*home\.tar\.gz\.partial/
    )
  })

  it('that cannot be written leaves no draft', async () => {
    mkdirSync(file())
    writeFileSync(join(file(), 'in the way'), '')
    await expect(writeArchive(source, file(), about)).rejects.toThrow()
    expect(readdirSync(home)).not.toContain('home.tar.gz.partial')
  })

  it.each([
    ['a file that was changed', () => writeFileSync(join(source, 'secrets.json'), '[]'), 'is not what it was'],
    ['a file too many', () => writeFileSync(join(source, 'more'), ''), 'does not belong to it'],
    ['a file too few', () => rmSync(join(source, 'secrets.json')), 'is missing'],
    ['a link', () => symlinkSync('/etc/passwd', join(source, 'link')), 'is no plain file']
  ])('with %s is refused', async (_what, change, why) => {
    await writeArchive(source, file(), about)
    change()
    const forged = join(home, 'forged.tar.gz')
    await create({ file: forged, cwd: source, gzip: true }, readdirSync(source))
    await expect(readArchive(forged, target)).rejects.toThrow(
      new RegExp(`forged\\.tar\\.gz is damaged.*${why}.*Nothing was changed`)
    )
  })

  it.runIf(process.platform === 'linux')('is not called damaged where nothing may be written', async () => {
    await writeArchive(source, file(), about)
    await expect(readArchive(file(), '/sys')).rejects.toThrow(/may not use|can only be read/)
  })

  it.each([
    [
      'of a later format, with the version that made it',
      { format: 2 },
      /^\S+ was made by version 1\.2\.3 of Batti, whose /
    ],
    ['without its time, with what is wrong', { madeAt: 'now' }, /is damaged, .*\(manifest\.json\.madeAt: Invalid .*\)/]
  ])('%s is refused', async (_what, change, why) => {
    const manifest = { ...(await writeArchive(source, file(), about)), ...change }
    writeFileSync(join(source, 'manifest.json'), JSON.stringify(manifest))
    await create({ file: file(), cwd: source, gzip: true }, readdirSync(source))
    await expect(readArchive(file(), target)).rejects.toThrow(why)
  })

  it('that is not one is refused', async () => {
    writeFileSync(file(), 'no archive')
    await expect(readArchive(file(), target)).rejects.toThrow('is damaged, or no archive of Batti')
  })
})

describe('a folder whose data were moved', () => {
  it('says where to, and is not started or moved again by mistake until that is undone', () => {
    expect(faultOfMove(source)).toBeNull()
    refuseMoved(source, null)
    refuseSecondMove(source)
    noteMove(source, 'mongodb://db.local/batti', '2026-11-27T04:00:00.000Z')
    expect(faultOfMove(source)?.what).toContain('moved to mongodb://db.local/batti on 2026-11-27')
    expect(() => refuseMoved(source, null)).toThrow('Set MONGODB_URI to go on there')
    expect(() => refuseSecondMove(source)).toThrow('move back, then move again')
    refuseMoved(source, 'mongodb://db.local/batti')
    forgetMove(source)
    refuseMoved(source, null)
    refuseSecondMove(source)
  })
})
