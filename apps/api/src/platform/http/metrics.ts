import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { productVersion } from '../product-version.ts'

/** Creates every metric of `/metrics`; the parts that count get them from here. */
export function createMetrics() {
  const registry = new Registry()
  let isWatched = false
  const registers = [registry]
  new Gauge({
    name: 'batti_build_info',
    help: 'Always 1; the labels say what runs',
    labelNames: ['version', 'node'],
    registers
  }).set({ version: productVersion(), node: process.version }, 1)
  return {
    registry,
    contentType: registry.contentType,
    /**
     * The metrics as text. Default metrics start with the first scrape: watching the event loop wakes a process 200 times a
     * second.
     */
    text(): Promise<string> {
      if (!isWatched) collectDefaultMetrics({ register: registry })
      isWatched = true
      return registry.metrics()
    },
    httpRequests: new Histogram({
      name: 'batti_http_request_seconds',
      help: 'HTTP answers by method, route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers
    }),
    commands: new Counter({
      name: 'batti_commands_total',
      help: 'Commands to boards by outcome',
      labelNames: ['outcome'],
      registers
    }),
    commandSeconds: new Histogram({
      name: 'batti_command_seconds',
      help: 'From a command to the report that confirms it',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4],
      registers
    }),
    reports: new Counter({
      name: 'batti_reports_total',
      help: 'Messages of boards by what became of them',
      labelNames: ['outcome'],
      registers
    }),
    scheduleLag: new Histogram({
      name: 'batti_schedule_lag_seconds',
      help: 'How long after its time a schedule was fired',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300],
      registers
    }),
    databaseSeconds: new Histogram({
      name: 'batti_database_seconds',
      help: 'How long calls of the database took',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers
    }),
    hookSeconds: new Histogram({
      name: 'batti_broker_hook_seconds',
      help: 'How long the broker waited to hear whether somebody may connect',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers
    }),
    /** Registers a gauge that is read on each scrape; if it cannot be read, it keeps its last value. */
    gauge(name: string, help: string, read: () => number | Promise<number>): void {
      registry.registerMetric(
        new Gauge({
          name: `batti_${name}`,
          help,
          registers: [],
          async collect() {
            try {
              this.set(await read())
            } catch {
              // The database is down, which another metric reports.
            }
          }
        })
      )
    },
    onlineDevices: new Gauge({
      name: 'batti_devices_online',
      help: 'Boards that this process holds online',
      registers
    }),
    sockets: new Gauge({ name: 'batti_sockets', help: 'Connected browsers and apps', registers }),
    storeQueue: new Gauge({ name: 'batti_store_queue', help: 'Changes that wait for the database', registers })
  }
}
export type Metrics = ReturnType<typeof createMetrics>
