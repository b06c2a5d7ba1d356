import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

/** Every figure the api publishes at `/metrics`, made once and handed to those who count. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
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
    onlineDevices: new Gauge({ name: 'batti_devices_online', help: 'Boards held online', registers }),
    sockets: new Gauge({ name: 'batti_sockets', help: 'Connected browsers and apps', registers }),
    storeQueue: new Gauge({ name: 'batti_store_queue', help: 'Changes that wait for the database', registers })
  }
}
export type Metrics = ReturnType<typeof createMetrics>
