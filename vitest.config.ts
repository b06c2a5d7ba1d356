import { defineConfig } from 'vitest/config'

// A loaded two-core machine (a CI runner, a Raspberry Pi) is the one to be right on: time-outs are there to end a test
// that hangs, not to measure one that is slow.
const patientMs = 60_000
const sides = { hookTimeout: patientMs, teardownTimeout: 20_000 }

export default defineConfig({
  test: {
    // Wherever the run is started from, and in whatever zone: rules about time say their zone, or they are wrong.
    env: { TZ: 'UTC', NODE_ENV: 'test', TURBO_TELEMETRY_DISABLED: '1' },
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          ...sides,
          name: 'node',
          environment: 'node',
          include: ['{apps/api,apps/broker,packages/*,firmware-sim,scripts,bench}/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          testTimeout: 30_000,
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
          include: ['src/**/*.test.{ts,tsx}'],
          testTimeout: 30_000,
          sequence: { groupOrder: 0 }
        }
      },
      {
        // Each file starts the product, or a browser, or both: one after another, after everything else.
        extends: true,
        test: {
          ...sides,
          name: 'e2e',
          environment: 'node',
          include: ['e2e/**/*.test.ts'],
          exclude: ['**/node_modules/**'],
          testTimeout: 180_000,
          hookTimeout: 240_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 }
        }
      }
    ]
  }
})
