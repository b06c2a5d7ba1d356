import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRunRecord } from './run-record.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'batti-run-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A process table of our own: pid -> command line. */
function machine(running: Record<number, string>) {
  const killed: number[] = []
  return {
    killed,
    commandOf: (pid: number) => running[pid] ?? null,
    kill: (pid: number) => void killed.push(pid)
  }
}
const launcher = 'node packages/launcher/src/main.ts'
const broker = '/usr/bin/node --import parentWatchdog.ts /batti/apps/broker/src/main.ts'

describe('a data folder in use', () => {
  it('is refused to a second launcher', () => {
    createRunRecord(folder, 100, machine({})).take()
    const second = createRunRecord(folder, 200, machine({ 100: launcher }))
    expect(() => second.take()).toThrow(/already running on .* \(process 100\)/)
  })

  it('is taken over from a launcher that died, and what it left running is ended', () => {
    const first = createRunRecord(folder, 100, machine({}))
    first.take()
    first.note([101, 102, 103])
    const now = machine({ 101: broker, 102: 'vim notes.txt' })
    createRunRecord(folder, 200, now).take()
    // 102 is a stranger who got the number since, 103 is gone.
    expect(now.killed).toEqual([101])
  })

  it('is free when the number of the dead launcher has gone to a stranger', () => {
    createRunRecord(folder, 100, machine({})).take()
    expect(() => createRunRecord(folder, 200, machine({ 100: 'vim notes.txt' })).take()).not.toThrow()
  })

  it('is free again after an orderly stop', () => {
    const record = createRunRecord(folder, 100, machine({}))
    record.take()
    record.release()
    expect(existsSync(join(folder, 'run.json'))).toBe(false)
  })
})
