import { testFolder, watchDisk } from '@batti/kit/node/testing'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { readSecrets } from './secrets.ts'

let folder: string
beforeEach(() => {
  folder = testFolder('secrets')
})

const read = (env: Record<string, string> = {}, production = false) => readSecrets({ folder, production, env })

describe('secrets', () => {
  it('are random, created once, and readable by their owner alone', () => {
    const first = read()
    expect(read()).toEqual(first)
    expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600)
    expect(new Set(Object.values(first)).size).toBe(Object.keys(first).length)
    expect(Buffer.from(first.DATA_KEY, 'base64')).toHaveLength(32)
    expect(first.JWT_SECRET.length).toBeGreaterThanOrEqual(32)
    expect(first.USER_PASSWORD).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/)
  })

  it('are synced before anything is sealed with them: a later power cut leaves no empty file', async () => {
    const draft = join(folder, 'secrets.json.new')
    expect((await watchDisk(() => read())).slice(0, 2)).toEqual([`sync ${draft}`, `rename ${draft}`])
  })

  it('differ from one folder to the next', () => {
    const first = read()
    rmSync(join(folder, 'secrets.json'))
    expect(read().ADMIN_PASSWORD).not.toBe(first.ADMIN_PASSWORD)
  })

  it('that are missing or empty in the file are made; the others stay', () => {
    const first = read()
    const { JWT_SECRET: _, ...rest } = first
    writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ ...rest, INTERNAL_SECRET: '' }))
    const next = read()
    expect(next).toEqual({ ...first, JWT_SECRET: next.JWT_SECRET, INTERNAL_SECRET: next.INTERNAL_SECRET })
    expect([next.JWT_SECRET.length, next.INTERNAL_SECRET.length]).toEqual([64, 48])
    expect(read()).toEqual(next)
  })

  it('in the environment take precedence and are not written down', () => {
    const given = 'from-the-environment-0123456789-abcdef'
    expect(read({ JWT_SECRET: given }).JWT_SECRET).toBe(given)
    expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).not.toContain(given)
  })

  it('are reported missing in production, and not created', () => {
    expect(() => read({ JWT_SECRET: 'x'.repeat(40) }, true)).toThrow(
      /set DATA_KEY, INTERNAL_SECRET, MQTT_SERVICE_PASSWORD/
    )
    expect(() => statSync(join(folder, 'secrets.json'))).toThrow('ENOENT')
  })

  it('are never replaced if the file is damaged: sealed data would be lost', () => {
    writeFileSync(join(folder, 'secrets.json'), '{"JWT_SECRET": "abc')
    expect(() => read()).toThrow(/damaged/)
    expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).toBe('{"JWT_SECRET": "abc')
  })
})
