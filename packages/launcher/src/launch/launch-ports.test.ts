import { expect, it } from 'vitest'
import { freePort } from '../ports.ts'
import { choosePorts } from './launch-ports.ts'

const anywhere = { port: 0, mqttPort: 0, dev: false }

it.each([
  ['the broker', 'mqttPort', 'mqtt'],
  ['the app', 'port', 'http']
] as const)(
  'the wall leaves its port of the last start to %s when that is to have it',
  async (_whose, option, part) => {
    const wall = await freePort()
    const ports = await choosePorts({
      options: { ...anywhere, [option]: wall },
      host: '127.0.0.1',
      known: { wall, mqtt: [], origin: null },
      metricsPort: undefined
    })
    expect(ports[part]).toBe(wall)
    const { vite: _, ...used } = ports
    expect(new Set(Object.values(used)).size).toBe(Object.keys(used).length)
  }
)
