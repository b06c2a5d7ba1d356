import { runToEnd, testFolder } from '@batti/kit/node/testing'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { thisMachine } from './process-table.ts'
import { createRunRecord } from './run-record.ts'

let folder: string
beforeEach(() => {
  folder = testFolder('run')
})

/** A process table for the test: pid -> start time. */
function machine(running: Record<number, string>) {
  const killed: number[] = []
  return {
    killed,
    startOf: (pid: number) => running[pid] ?? null,
    kill: (pid: number) => void killed.push(pid)
  }
}

/** A launcher with process id 100 and its parts, each with a start time of its own. */
function startFirst(starts: Record<number, string> = { 100: 'one', 101: 'two', 102: 'three', 103: 'four' }) {
  const record = createRunRecord(folder, 100, machine(starts))
  record.take()
  record.note([101, 102, 103])
  return record
}

describe('a data folder in use', () => {
  it('is refused to a second launcher, which leaves the record of the first unchanged', () => {
    startFirst()
    const before = readFileSync(join(folder, 'run.json'), 'utf8')
    const now = machine({ 100: 'one', 101: 'two', 200: 'five' })
    const second = createRunRecord(folder, 200, now)
    expect(() => second.clear()).toThrow(/already running on .* \(process 100\)/)
    expect(second.runningLauncher()).toBe(100)
    second.release()
    expect([readFileSync(join(folder, 'run.json'), 'utf8'), now.killed]).toEqual([before, []])
  })

  // Windows locks no file.
  it.runIf(process.platform !== 'win32')('is refused to a launcher in another container, from the first moment', () => {
    const first = createRunRecord(folder, 100, machine({ 100: 'one' }))
    first.clear()
    const elsewhere = createRunRecord(folder, 7, machine({ 7: 'two' }))
    const inUse = `${folder} is in use by another process`
    expect(() => elsewhere.clear()).toThrow(`${inUse}: stop Batti there, or choose another folder with --data.`)
    expect(() => elsewhere.holdStopped()).toThrow(`${inUse}: stop that, and try again.`)
    first.take()
    elsewhere.release()
    expect(existsSync(join(folder, 'run.json'))).toBe(true)
    first.release()
    elsewhere.clear()
    elsewhere.release()
  })

  it('is locked for a command, which leaves nothing in a folder that was never started', () => {
    createRunRecord(folder, 100, machine({ 100: 'one' })).holdStopped()()
    expect(readdirSync(folder)).toEqual([])
    startFirst()
    const command = createRunRecord(folder, 200, machine({ 100: 'one', 200: 'five' }))
    expect(() => command.holdStopped()).toThrow(`Batti is running on ${folder} (process 100): stop it, and try again.`)
  })

  it('is taken over from a launcher that died, and its remaining parts are ended', () => {
    startFirst()
    // 102 now belongs to another program, 103 is gone.
    const now = machine({ 101: 'two', 102: 'later', 200: 'five' })
    const second = createRunRecord(folder, 200, now)
    second.clear()
    second.take()
    expect(now.killed).toEqual([101])
  })

  it.each([
    ['no start times', { started: undefined }],
    ['no start time of a part', { started: {} }],
    ['a text as the id of a part', { parts: ['101'] }]
  ])('ends nothing that a damaged record names: %s', (_what, damage) => {
    startFirst()
    const path = join(folder, 'run.json')
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...damage }))
    const now = machine({ 101: 'two', 102: 'three', 200: 'five' })
    createRunRecord(folder, 200, now).clear()
    expect(now.killed).toEqual([])
  })

  it('is free when all its process ids now belong to another installation', () => {
    startFirst()
    const now = machine({ 100: 'later', 101: 'later', 102: 'later', 103: 'later' })
    const second = createRunRecord(folder, 200, now)
    expect(() => second.clear()).not.toThrow()
    expect([second.runningLauncher(), now.killed]).toEqual([null, []])
  })

  it.each([
    ['later', 'later'],
    ['at the same time after the start of its machine', 'one']
  ])(
    'is free when its process id now belongs to the next launcher itself, as in a container, begun %s',
    (_when, start) => {
      startFirst()
      const again = createRunRecord(folder, 100, machine({ 100: start }))
      expect(() => again.clear()).not.toThrow()
      expect(again.runningLauncher()).toBeNull()
    }
  )

  it('does not apply to a copy of it, whose launcher ends no processes there', () => {
    startFirst()
    const copy = `${folder}-copy`
    cpSync(folder, copy, { recursive: true })
    const now = machine({ 101: 'two' })
    const beside = createRunRecord(copy, 200, now)
    expect(() => beside.clear()).not.toThrow()
    expect(now.killed).toEqual([])
    rmSync(copy, { recursive: true })
  })

  it.each([
    ['when they started was not known', {}],
    ['it is of an earlier version', { started: undefined, folder: undefined }]
  ])('ends no process of its record when %s', (_why, change) => {
    startFirst({})
    const path = join(folder, 'run.json')
    writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), ...change }))
    const now = machine({ 101: 'two', 102: 'three' })
    expect(() => createRunRecord(folder, 200, now).clear()).not.toThrow()
    expect(now.killed).toEqual([])
  })

  it('is free again after an orderly stop', () => {
    startFirst().release()
    expect(existsSync(join(folder, 'run.json'))).toBe(false)
  })

  it('stays with the launcher that has taken it meanwhile, even under the same process id', () => {
    const first = startFirst()
    createRunRecord(folder, 100, machine({ 100: 'later' })).take()
    first.release()
    expect(existsSync(join(folder, 'run.json'))).toBe(true)
  })
})

describe.runIf(process.platform !== 'win32')('the start time of a process', () => {
  it('stays the same, and is null when the process has ended', async () => {
    const child = spawn('sleep', ['60'])
    const ended = once(child, 'exit')
    const pid = child.pid ?? 0
    const start = thisMachine.startOf(pid)
    expect(start).toMatch(/\d/)
    expect(thisMachine.startOf(pid)).toBe(start)
    expect(thisMachine.startOf(process.pid)).not.toBe(start)
    child.kill()
    await ended
    expect(thisMachine.startOf(pid)).toBeNull()
    expect(thisMachine.startOf(runToEnd('true', []).pid)).toBeNull()
  })
})
