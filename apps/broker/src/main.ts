import { systemClock } from '@batti/kit/clock'
import { messageOf } from '@batti/kit/message-of'
import { startBroker } from './compose.ts'
import { readConfig } from './config.ts'
import { createLog } from './log.ts'

const read = readConfig()
if (!read.ok) {
  for (const fault of read.faults) console.error(`broker: ${fault}`)
  process.exit(1)
}
const log = createLog(read.config.logLevel)

try {
  const broker = await startBroker({ config: read.config, log, clock: systemClock })
  const stop = () => {
    void broker.stop().then(() => process.exit(0))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('SIGHUP', () => void broker.renewCertificate())
} catch (error) {
  console.error(`broker: could not start: ${messageOf(error)}`)
  process.exit(1)
}
