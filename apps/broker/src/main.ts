import { systemClock } from '@batti/kit/clock'
import { messageOf } from '@batti/kit/message-of'
import { stopOnSignals } from '@batti/kit/node/stop-on-signals'
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
  stopOnSignals({ drainMs: 0, stop: broker.stop })
  process.on('SIGHUP', () => void broker.renewCertificate())
} catch (error) {
  console.error(`broker: could not start: ${messageOf(error)}`)
  process.exit(1)
}
