import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { until } from '@batti/kit/testing'
import { testFolder, watchDisk } from '@batti/kit/node/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { readIfThere } from '../data/private-file.ts'
import { commandOf } from '../parts/process-table.ts'
import { buildFault, buildWeb, isWebBuilt, sourcesStamp, takePlace } from './web-build.ts'

let root: string
const put = (path: string, text: string, ageS = 0): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  const at = Date.now() / 1000 - ageS
  utimesSync(join(root, path), at, at)
}

beforeEach(() => {
  root = testFolder('web')
  put('apps/web/src/app.tsx', 'one', 100)
  put('packages/contracts/src/index.ts', 'contract', 100)
})

describe('whether the web app must be built', () => {
  it('must, when it never was', () => {
    expect(isWebBuilt(root)).toBe(false)
  })
  it('must not, when it was built by hand after the last change', () => {
    put('apps/web/dist/index.html', 'built', 50)
    expect(isWebBuilt(root)).toBe(true)
  })
  it('must not, when a build by hand is in a folder where no stamp can be written', () => {
    put('apps/web/dist/index.html', 'built', 50)
    symlinkSync(join(root, 'nowhere/stamp'), join(root, 'apps/web/dist/.sources'))
    expect(isWebBuilt(root)).toBe(true)
  })
  it('must, when a source is newer than a build by hand', () => {
    put('apps/web/dist/index.html', 'built', 50)
    put('packages/contracts/src/index.ts', 'changed', 10)
    expect(isWebBuilt(root)).toBe(false)
  })
  it('is decided by contents once a build has a stamp: a checkout changes times, not contents', () => {
    put('apps/web/dist/index.html', 'built', 500)
    put('apps/web/dist/.sources', sourcesStamp(root))
    expect(isWebBuilt(root)).toBe(true)
    put('apps/web/src/app.tsx', 'two', 1000)
    expect(isWebBuilt(root)).toBe(false)
    put('apps/web/src/app.tsx', 'one', 0)
    expect(isWebBuilt(root)).toBe(true)
  })
  it('depends on all our packages that the web app contains', () => {
    const manifest = readFileSync(join(import.meta.dirname, '../../../../apps/web/package.json'), 'utf8')
    const ours = [...manifest.matchAll(/"@batti\/(\w+)":/g)].map(([, name]) => name)
    expect(ours).toContain('kit')
    let before = sourcesStamp(root)
    for (const path of [...ours.map((name) => `packages/${name}/src/deep/new.ts`), 'tsconfig.base.json']) {
      put(path, 'new')
      expect(sourcesStamp(root), path).not.toBe(before)
      before = sourcesStamp(root)
    }
  })
  it('does not depend on a changed test, but on a new file', () => {
    const before = sourcesStamp(root)
    put('apps/web/src/app.test.tsx', 'a test')
    expect(sourcesStamp(root)).toBe(before)
    put('apps/web/src/more.tsx', 'more')
    expect(sourcesStamp(root)).not.toBe(before)
  })
})

describe('a build that failed', () => {
  it("is reported in the builder's words", () => {
    expect(buildFault('app.tsx: no such thing\n', root)).toBe('The web app does not build:\napp.tsx: no such thing')
  })
  it.each(['EACCES: permission denied', 'EROFS: read-only file system'])('says who may build, after “%s”', (said) => {
    const fault = buildFault(`error during build:\nError: ${said}, open 'x.mjs'\n    at async open`, root)
    expect(fault).toMatch(/run npm run build there as its owner\.$/)
    expect(fault).not.toContain('\n')
  })
  it('asks for room on a full disk', () => {
    const fault = buildFault('error during build:\nError: ENOSPC: no space left on device, write\n    at write', root)
    expect(fault).toBe(`The disk is full: the web app cannot be built in ${root}. Make room, and start again.`)
  })
})

describe('a build', () => {
  const cache = (): string => join(root, 'node_modules/.cache')
  /** Puts a program in the place of the builder. It gets the folder of the draft. */
  const builder = (script: string): void =>
    put('node_modules/vite/bin/vite.js', `const draft = process.argv[4]; const fs = require('node:fs'); ${script}`)

  it('ends when its launcher is killed, and the next one removes its draft', async () => {
    mkdirSync(join(root, 'apps/web'), { recursive: true })
    builder(`fs.mkdirSync(draft, { recursive: true }); fs.writeFileSync(draft + '/pid', String(process.pid))
      setInterval(() => {}, 1000)`)
    const module = pathToFileURL(join(import.meta.dirname, 'web-build.ts')).href
    const script = `import { buildWeb } from '${module}'; await buildWeb(${JSON.stringify(root)}, {})`
    const launcher = spawn(process.execPath, ['--input-type=module', '--eval', script])
    const draft = join(cache(), `batti-web-${launcher.pid}`)
    const pid = await until('the builder', () => readIfThere(join(draft, 'pid')) || null)
    const ended = once(launcher, 'close')
    launcher.kill('SIGKILL')
    await ended
    await until('its end', () => commandOf(Number(pid)) === null)
    expect(existsSync(draft)).toBe(true)
    builder(`fs.mkdirSync(draft, { recursive: true }); fs.writeFileSync(draft + '/index.html', 'new')`)
    await buildWeb(root, {})
    expect([readdirSync(cache()), isWebBuilt(root)]).toEqual([[], true])
  })

  it.runIf(process.platform !== 'win32')('is on the disk before it takes its place', async () => {
    mkdirSync(join(root, 'apps/web'), { recursive: true })
    builder(`fs.mkdirSync(draft, { recursive: true }); fs.writeFileSync(draft + '/index.html', 'new')`)
    const seen = await watchDisk(() => buildWeb(root, {}))
    const draft = join(cache(), `batti-web-${process.pid}`)
    const all = ['.sources', 'index.html'].map((name) => `sync ${join(draft, name)}`)
    expect(seen).toEqual([...all, `sync ${draft}`, `rename ${draft}`])
  })
})

describe('a build that is finished', () => {
  const built = (text: string, stamp: string) => {
    put('draft/index.html', text)
    put('draft/.sources', stamp)
    takePlace(root, join(root, 'draft'))
    return readFileSync(join(root, 'apps/web/dist/index.html'), 'utf8')
  }
  it('replaces an older one, also when its sources have changed meanwhile', () => {
    put('apps/web/dist/index.html', 'old', 500)
    put('apps/web/dist/.sources', 'of other sources')
    expect(built('new', sourcesStamp(root))).toBe('new')
    put('apps/web/src/app.tsx', 'two')
    expect(built('newer', 'of sources that were')).toBe('newer')
  })
  it('keeps one of the same sources that another start built', () => {
    put('apps/web/dist/index.html', 'theirs')
    put('apps/web/dist/.sources', sourcesStamp(root))
    expect(built('ours', sourcesStamp(root))).toBe('theirs')
  })
  it('is visible whole or not at all to a product that serves it meanwhile', async () => {
    for (let n = 0; n < 2000; n += 1) put(`apps/web/dist/assets/${n}.js`, '')
    const look = `
      const { readdirSync } = require('node:fs')
      let isHalf = false
      const timer = setInterval(() => {
        try { isHalf ||= readdirSync(process.argv[1]).length !== 2000 } catch {}
      })
      process.on('SIGTERM', () => { console.log(isHalf ? 'half' : 'whole'); clearInterval(timer) })
      console.log('looks')`
    const child = spawn(process.execPath, ['-e', look, join(root, 'apps/web/dist/assets')])
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    expect((await lines.next()).value).toBe('looks')
    expect(built('new', sourcesStamp(root))).toBe('new')
    child.kill('SIGTERM')
    expect((await lines.next()).value).toBe('whole')
  })
})
