/**
 * Toggles a switch of a board that is online, and prints what the board reports.
 * `node packages/client/examples/toggle.ts ORIGIN EMAIL PASSWORD`
 */
import { createClient } from '@batti/client/client'
import { lenientParse } from '@batti/client/lenient-parse'
import { openSocket } from '@batti/client/socket'
import { listSwitches, login, serverEvents, updateSwitch } from '@batti/contracts'

const print = (line: string) => process.stdout.write(`${line}\n`)
const [base = '', email = '', password = ''] = process.argv.slice(2)

const visitor = createClient({ base })
const { accessToken } = await visitor.call(login, { body: { email, password } })
const client = visitor.as(accessToken)
const { switches } = await client.call(listSwitches)
const lamp = switches.find(({ isOnline, type }) => isOnline && type === 'switch')
if (lamp === undefined) throw new Error('No board is online.')

const socket = await openSocket(base, { token: accessToken })
await socket.emitWithAck('join-user-device-room', lamp.deviceMac)
// The answer of the call and this event come by different connections, in any order.
const heard = new Promise<string>((resolve) =>
  socket.on('switch-update', (event: unknown) => {
    const { data } = lenientParse(serverEvents['switch-update'], event)
    if (data?.update.switch[lamp.switchIndex] === !lamp.status) resolve(data.cause.userName ?? data.cause.by)
  })
)

// Answered once the board has confirmed; a board that is offline or silent throws an ApiError with a code.
const after = await client.call(updateSwitch, { params: { id: lamp._id }, body: { status: !lamp.status } })
print(`${after.switchName} was ${lamp.status ? 'on' : 'off'}, and is ${after.status ? 'on' : 'off'}`)
print(`reported by the board, caused by ${await heard}`)
socket.disconnect()
