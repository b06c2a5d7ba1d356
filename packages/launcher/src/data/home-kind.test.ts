import { testFolder } from '@batti/kit/node/testing'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { beginHome, writeHome } from './home-kind.ts'

let data: string
beforeEach(() => {
  data = testFolder('home-kind')
})

describe('the kind of a data folder', () => {
  it('is determined once: a home in use is never filled with demo boards', () => {
    expect(beginHome(data, true)).toEqual({ kind: 'empty', isFinished: true })
    expect(beginHome(data, false)).toEqual({ kind: 'empty', isFinished: true })
  })

  it('is a demo that is filled until it is finished', () => {
    expect(beginHome(data, false)).toEqual({ kind: 'demo', isFinished: false })
    expect(beginHome(data, true)).toEqual({ kind: 'demo', isFinished: false })
    writeHome(data, 'demo', true)
    expect(beginHome(data, false)).toEqual({ kind: 'demo', isFinished: true })
  })

  it.each([null, 'torn'])('is no demo where a database is in use, as that of production (home.json: %s)', (text) => {
    mkdirSync(join(data, 'db'))
    writeFileSync(join(data, 'db', 'batti.db'), 'a database')
    if (text !== null) writeFileSync(join(data, 'home.json'), text)
    expect(beginHome(data, false)).toEqual({ kind: 'empty', isFinished: true })
    expect(JSON.parse(readFileSync(join(data, 'home.json'), 'utf8'))).toEqual({ home: 'empty', finished: true })
  })

  it.each(['{}', '{"home":"palace","finished":true}', 'torn'])(
    'is determined again if the file contains %s',
    (text) => {
      writeFileSync(join(data, 'home.json'), text)
      expect(beginHome(data, true)).toEqual({ kind: 'empty', isFinished: true })
      expect(JSON.parse(readFileSync(join(data, 'home.json'), 'utf8'))).toEqual({ home: 'empty', finished: true })
    }
  )
})
