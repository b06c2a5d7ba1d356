import {
  allDownFilter,
  apiBasePath,
  clientEventAcks,
  clientEvents,
  defaultHttpPort,
  defaultMqttPort,
  downPayloads,
  downTopics,
  mqttPacketMaxBytes,
  serverEvents,
  socketMessageMaxBytes,
  upPayloads,
  upTopics,
  type ClientEvent
} from '../../src/index.ts'
import { eventPurpose, topicPurpose } from './purposes.ts'
import { createSchemaBook, type JsonObject } from './schema-book.ts'

const isClientEvent = (name: string): name is ClientEvent => Object.hasOwn(clientEvents, name)
const clientEventNames = Object.keys(clientEvents).filter(isClientEvent)

const ref = (path: string): JsonObject => ({ $ref: `#/${path}` })
/** Keeps the spelling, because `toggle-switch` and `toggleSwitch` are two events. */
const keyOf = (way: string, name: string): string => `${way}-${name}`

/**
 * Builds `docs/reference/asyncapi.json`: the topics of boards and the events of screens, as AsyncAPI 3.0. The server's
 * view: it receives what boards and screens send.
 */
export function asyncApiDocument(): JsonObject {
  const book = createSchemaBook()
  const channels: JsonObject = {}
  const operations: JsonObject = {}
  const deviceId = { description: 'The `_id` of the device: 24 hexadecimal digits, lower case.' }

  const addTopic = (way: 'up' | 'down', name: string, payload: JsonObject): void => {
    const key = keyOf(way, name)
    channels[key] = {
      address: `d/{deviceId}/${way}/${name}`,
      title: `${way}/${name}`,
      servers: [ref('servers/broker')],
      parameters: { deviceId },
      messages: { message: { name, contentType: 'application/json', payload } },
      bindings: { mqtt: { bindingVersion: '0.2.0' } }
    }
    operations[key] = {
      action: way === 'up' ? 'receive' : 'send',
      channel: ref(`channels/${key}`),
      summary: topicPurpose[way === 'up' ? `up/${name}` : `down/${name}`] ?? name,
      bindings: { mqtt: { qos: 0, retain: false, bindingVersion: '0.2.0' } }
    }
  }
  for (const name of upTopics) addTopic('up', name, book.schema(upPayloads[name], 'input'))
  for (const name of downTopics) addTopic('down', name, book.schema(downPayloads[name], 'output'))

  const addEvent = (way: 'client' | 'server', name: string, messages: JsonObject): void => {
    const key = keyOf(way, name)
    channels[key] = { address: name, title: name, servers: [ref('servers/socket')], messages }
    operations[key] = {
      action: way === 'client' ? 'receive' : 'send',
      channel: ref(`channels/${key}`),
      summary: eventPurpose[name] ?? name,
      messages: [ref(`channels/${key}/messages/event`)],
      ...('acknowledgement' in messages
        ? { reply: { channel: ref(`channels/${key}`), messages: [ref(`channels/${key}/messages/acknowledgement`)] } }
        : {})
    }
  }
  for (const name of clientEventNames) {
    addEvent('client', name, {
      event: { name, payload: book.schema(clientEvents[name], 'input') },
      acknowledgement: {
        name: `${name} acknowledged`,
        payload: book.schema(clientEventAcks[name], 'output')
      }
    })
  }
  for (const [name, schema] of Object.entries(serverEvents)) {
    addEvent('server', name, { event: { name, payload: book.schema(schema, 'output') } })
  }

  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Batti, live',
      version: '1.0.0',
      description:
        'Generated from packages/contracts: do not edit. Boards speak MQTT 3.1.1 over TLS; screens speak socket.io, websocket only. Times are milliseconds since the epoch, UTC.'
    },
    defaultContentType: 'application/json',
    servers: {
      broker: {
        host: `localhost:${defaultMqttPort}`,
        protocol: 'mqtts',
        protocolVersion: '3.1.1',
        description: `Client id \`dev-{deviceId}\`, username \`{deviceId}\`, clean session, QoS 0 (1 is accepted), not retained, packets up to ${mqttPacketMaxBytes} bytes, keepalive 15 to 120 s. The api itself publishes to \`${allDownFilter}\`.`,
        security: [ref('components/securitySchemes/board')]
      },
      socket: {
        host: `localhost:${defaultHttpPort}`,
        pathname: '/socket.io/',
        protocol: 'wss',
        description: `socket.io 4; handshake \`auth: { token }\` with the access token of POST ${apiBasePath}/user/login. A refused handshake ends in \`connect_error\` with \`data: { code, message }\`. Messages up to ${socketMessageMaxBytes} bytes.`,
        security: [ref('components/securitySchemes/accessToken')]
      }
    },
    channels,
    operations,
    components: {
      securitySchemes: {
        board: { type: 'userPassword', description: '`mqttUsername` and `mqttPassword` of POST /device-auth.' },
        accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }
      },
      schemas: book.components()
    }
  }
}
