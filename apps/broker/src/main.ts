import { pino } from 'pino'
import { systemClock } from './clock.ts'
import { startBroker } from './compose.ts'
import { readConfig } from './config.ts'

const read = readConfig()
if (!read.ok) {
  for (const fault of read.faults) console.error(`broker: ${fault}`)
  process.exit(1)
}
const log = pino({ name: 'broker', level: read.config.logLevel })

try {
  const broker = await startBroker({ config: read.config, log, clock: systemClock })
  const stop = () => {
    void broker.stop().then(() => process.exit(0))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('SIGHUP', () => void broker.renewCertificate())
} catch (error) {
  console.error(`broker: ${startFault(error)}`)
  process.exit(1)
}

function startFault(error: unknown): string {
  if (!(error instanceof Error)) return 'could not start'
  if ('code' in error && error.code === 'EADDRINUSE') return `another process has the port: ${error.message}`
  return `could not start: ${error.message}`
}
