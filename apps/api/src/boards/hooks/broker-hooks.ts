import { createServer, type Server } from 'node:http'
import { deviceIdOfClient, quarantineReason } from '@batti/contracts'
import { createAddressList } from '../../platform/address-list.ts'
import { openAddressFilter, type AddressFilter } from '../../platform/http/addresses/address-filter.ts'
import type { Metrics } from '../../platform/http/metrics.ts'
import type { Platform } from '../../platform/platform.ts'
import type { BoardModels } from '../board-models.ts'
import type { DeviceRegistry } from '../registry/device-registry.ts'
import { displayName } from '../registry/live-device.ts'
import { createDemoHistory } from '../reports/demo-history.ts'
import { createCredentials } from './credentials.ts'
import { createInternalApp, type InternalAppOptions } from './internal-app.ts'
import { createMqttAuth } from './mqtt-auth.ts'

export interface BrokerHooksDeps extends Pick<Platform, 'config' | 'events' | 'log' | 'metrics' | 'readOutbox'> {
  addressFilter?: AddressFilter | undefined
  passwordMarks?: InternalAppOptions['passwordMarks']
}

/** Creates the server that brokers ask who may connect, and report refused clients to. It does not listen yet. */
export function createBrokerHooks(
  deps: BrokerHooksDeps & { models: BoardModels; registry: Pick<DeviceRegistry, 'find'> }
): Server {
  const { config, events, log, models, registry } = deps

  async function notifyOfQuarantine(clientId: string): Promise<void> {
    try {
      const device = await registry.find(deviceIdOfClient(clientId) ?? '')
      if (device === null || device.userId === null) return
      events.emit('board-in-quarantine', { userId: device.userId, boardName: displayName(device) })
    } catch (error) {
      log.error({ err: error, clientId }, 'the owner of a board in quarantine could not be notified')
    }
  }

  return createServer(
    createInternalApp({
      secret: config.INTERNAL_SECRET,
      log,
      readOutbox: deps.readOutbox,
      passwordMarks: deps.passwordMarks,
      ...(deps.readOutbox && { writeHistory: createDemoHistory({ ...models, findDevice: registry.find }) }),
      answerMqttAuth: timed(
        deps.metrics.hookSeconds,
        createMqttAuth({
          servicePassword: config.MQTT_SERVICE_PASSWORD,
          isServiceAddress: createAddressList(config.MQTT_SERVICE_NETWORKS),
          ...createCredentials(models.devices),
          load: registry.find,
          isBlocked: (deps.addressFilter ?? openAddressFilter).isBlocked,
          onRefused: (refusal) => events.emit('refused', refusal)
        })
      ),
      onMqttRefused: ({ peerhost, topic, clientid, reason }) => {
        events.emit('refused', { ip: peerhost, method: 'MQTT', url: topic, userAgent: clientid.slice(0, 64) })
        if (reason === quarantineReason) void notifyOfQuarantine(clientid)
      }
    })
  )
}

/** Wraps a function so that the duration of each call is measured. */
function timed<Question, Answer>(seconds: Metrics['hookSeconds'], ask: (question: Question) => Promise<Answer>) {
  return async (question: Question): Promise<Answer> => {
    const stop = seconds.startTimer()
    try {
      return await ask(question)
    } finally {
      stop()
    }
  }
}
