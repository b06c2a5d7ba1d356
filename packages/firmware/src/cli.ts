import { messageOf } from '@batti/kit/message-of'
import { calledFrom } from '@batti/kit/node/config'
import { runFirmwareTool } from './firmware-cli.ts'

try {
  process.chdir(calledFrom())
  console.log(runFirmwareTool(process.argv.slice(2)))
} catch (error) {
  console.error(messageOf(error))
  process.exitCode = 1
}
