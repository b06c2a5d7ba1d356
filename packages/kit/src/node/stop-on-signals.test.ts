import { EventEmitter, once } from 'node:events'
import { expect, it } from 'vitest'
import { stopOnSignals } from './stop-on-signals.ts'
import { runToEnd } from './testing.ts'

/** A process whose stop waits for `finish`. */
function setUp(drainMs: number) {
  const own = new EventEmitter()
  const exits: unknown[] = []
  const timers: { ms: number; run(): void }[] = []
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  let stops = 0
  const said: string[] = []
  const ask = stopOnSignals(
    { drainMs, stop: () => ((stops += 1), promise), say: (signal) => said.push(signal) },
    Object.assign(own, {
      exit(code: unknown) {
        exits.push(code)
        own.emit('exit', code)
      }
    }) as unknown as NodeJS.Process,
    { after: (ms, run) => (timers.push({ ms, run }), () => undefined) }
  )
  return { own, exits, timers, finish, ask, said, stops: () => stops }
}

it('exits with 0 when the stop is done', async () => {
  const { own, exits, finish, stops } = setUp(0)
  own.emit('SIGTERM', 'SIGTERM')
  expect([stops(), exits]).toEqual([1, []])
  const ended = once(own, 'exit')
  finish()
  await ended
  expect(exits).toEqual([0])
})

it('ends the drain at once at the second SIGTERM', () => {
  const { own, exits, stops } = setUp(60_000)
  own.emit('SIGTERM', 'SIGTERM')
  own.emit('SIGTERM', 'SIGTERM')
  expect([stops(), exits]).toEqual([1, [1]])
})

it('treats the Ctrl+C of a terminal and the SIGTERM of a launcher as one signal', () => {
  const { own, exits, ask, said, stops } = setUp(0)
  own.emit('SIGINT', 'SIGINT')
  own.emit('SIGTERM', 'SIGTERM')
  ask()
  expect([stops(), exits, said]).toEqual([1, [], ['SIGINT']])
})

it('limits the time of the stop after the drain', () => {
  const { own, exits, timers } = setUp(60_000)
  own.emit('SIGTERM', 'SIGTERM')
  expect(timers.map(({ ms }) => ms)).toEqual([69_000])
  timers[0]?.run()
  expect(exits).toEqual([1])
})

it('collects garbage at every exit, for which a compiler thread may wait while the exit waits for that thread', () => {
  const program = `
    import { stopOnSignals } from ${JSON.stringify(new URL('stop-on-signals.ts', import.meta.url).href)}
    stopOnSignals({ drainMs: 0, stop: async () => {} })
    console.log('exits')
    process.exit(3)`
  const run = ['--trace-gc', '--input-type=module', '--eval', program]
  const { status, stdout } = runToEnd(process.execPath, run)
  expect(status).toBe(3)
  expect(stdout.slice(stdout.indexOf('exits'))).toContain('Mark-Compact')
})
