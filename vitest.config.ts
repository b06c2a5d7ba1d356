import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { isOfTheSystem } from './scripts/system-environment.ts'

// A loaded two-core machine (a CI runner, a Raspberry Pi) is the one to be right on: time-outs are there to end a test
// that hangs, not to measure one that is slow.
const patientMs = 60_000
const sides = {
  testTimeout: 2 * patientMs,
  hookTimeout: 2 * patientMs,
  teardownTimeout: 20_000,
  expect: { poll: { timeout: patientMs, interval: 20 } }
}

// Many tests of the api wait for its timers, so two cores have time for a third worker.
const besideWaiting = 3

const wholeSystem = {
  ...sides,
  environment: 'node',
  include: ['e2e/**/*.test.ts'],
  setupFiles: [join(import.meta.dirname, 'e2e/src/show-failed.ts')],
  testTimeout: 5 * patientMs,
  hookTimeout: 5 * patientMs
}
const calm = ['e2e/src/main-job.e2e.test.ts', 'e2e/src/bad-input.e2e.test.ts']
/** Waits for the next full minutes of the clock, and hardly works meanwhile. */
const waiting = ['e2e/src/home/schedules-fire.e2e.test.ts']

// What the tests start gets settings from its test alone, not from the shell that somebody works in.
for (const name of Object.keys(process.env)) if (!isOfTheSystem(name)) delete process.env[name]
// Wherever the run is started from, and in whatever zone: rules about time say their zone, or they are wrong.
process.env['TZ'] = 'UTC'

export default defineConfig({
  test: {
    env: { NODE_ENV: 'test', TURBO_TELEMETRY_DISABLED: '1' },
    maxWorkers: 2,
    sequence: { seed: 2 },
    projects: [
      {
        extends: true,
        test: {
          ...sides,
          name: 'node',
          environment: 'node',
          include: ['{apps/api,apps/broker,packages/*,firmware-sim,scripts,bench}/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          maxWorkers: besideWaiting,
          sequence: { groupOrder: 0 }
        }
      },
      {
        extends: true,
        root: './apps/web',
        test: {
          ...sides,
          name: 'web',
          environment: 'jsdom',
          // A process for each worker and a context in it for each file: a third of the time of a process for each file.
          pool: 'vmForks',
          // The memory of a context is never returned. A worker above this is replaced.
          vmMemoryLimit: '1GB',
          include: ['src/**/*.test.{ts,tsx}'],
          setupFiles: [join(import.meta.dirname, 'apps/web/src/test/setup.ts')],
          maxWorkers: besideWaiting,
          // The tests of a file run in another order than they are written in, the same in every run: one that needs another
          // fails at once. `--sequence.seed=N` for other orders.
          sequence: { groupOrder: 0, shuffle: { tests: true } }
        }
      },
      {
        extends: true,
        test: {
          ...wholeSystem,
          name: 'e2e-waiting',
          include: waiting,
          maxWorkers: besideWaiting,
          sequence: { groupOrder: 0 }
        }
      },
      {
        // Each file starts the product and a browser of its own. Two at a time: a third finds two cores busy.
        extends: true,
        test: {
          ...wholeSystem,
          name: 'e2e',
          exclude: [...calm, ...waiting, '**/node_modules/**'],
          sequence: { groupOrder: 1 }
        }
      },
      {
        // The main job and what strangers send, with the machine to themselves.
        extends: true,
        test: {
          ...wholeSystem,
          name: 'e2e-main-job',
          include: calm,
          fileParallelism: false,
          sequence: { groupOrder: 2 }
        }
      }
    ]
  }
})
