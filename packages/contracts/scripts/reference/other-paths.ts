import {
  brokerClientList,
  brokerClientsPath,
  healthPath,
  metricsPath,
  mqttAuthAnswer,
  mqttAuthBatchAnswer,
  mqttAuthBatchPath,
  mqttAuthBatchRequest,
  mqttAuthPath,
  mqttAuthRequest,
  mqttRefusal,
  mqttRefusedPath,
  readyPath,
  setupConfigPath,
  setupForm
} from '../../src/index.ts'
import type { JsonObject, SchemaBook } from './schema-book.ts'

const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } })
const page = { content: { 'text/html': { schema: { type: 'string' } } } }
const answered = (description: string, content: JsonObject = {}): JsonObject => ({ '200': { description, ...content } })

/** Paths outside the api base: for machines, and for people who try the demo. */
export function healthPaths(outboxPath: string, outbox: JsonObject): JsonObject {
  const common = { tags: ['Health and demo'], security: [] }
  const servers = [{ url: '/', description: 'The address of the product itself' }]
  const ready = {
    type: 'object',
    properties: {
      ok: { type: 'boolean' },
      stopping: { type: 'boolean' },
      dependencies: { type: 'object', additionalProperties: { type: 'boolean' } },
      degraded: {
        type: 'array',
        items: { type: 'string' },
        description: 'Dependencies that are away and without which everything is served, in a poorer way: still 200'
      }
    },
    required: ['ok', 'stopping', 'dependencies', 'degraded']
  }
  return {
    [healthPath]: {
      servers,
      get: { ...common, operationId: 'healthz', summary: 'The process is alive', responses: answered('Alive') }
    },
    [readyPath]: {
      servers,
      get: {
        ...common,
        operationId: 'readyz',
        summary: 'Every dependency by name, true where it can be used',
        responses: {
          ...answered('Ready', json(ready)),
          '503': { description: 'Not ready, or stopping', ...json(ready) }
        }
      }
    },
    [metricsPath]: {
      servers,
      get: {
        ...common,
        operationId: 'metrics',
        summary:
          'Figures for Prometheus, on `METRICS_PORT` (9464) of `METRICS_HOST` (loopback) alone; 404 where people are',
        responses: answered('Text exposition format', { content: { 'text/plain': { schema: { type: 'string' } } } })
      }
    },
    [outboxPath]: {
      servers,
      get: {
        ...common,
        operationId: 'devOutbox',
        summary: 'Demo only: mails and text messages that would have been sent, newest first',
        parameters: [{ name: 'to', in: 'query', required: false, schema: { type: 'string' } }],
        responses: answered('A page, or a list for `Accept: application/json`', {
          content: { ...page.content, 'application/json': { schema: outbox } }
        })
      }
    }
  }
}

/** Calls between the broker and the api, in EMQX's shapes, so that EMQX can replace our broker. */
export function brokerHookPaths(book: SchemaBook): JsonObject {
  const common = { tags: ["Broker's hooks"], security: [{ internalSecret: [] }] }
  const api = [
    { url: 'http://127.0.0.1:49999', description: "The api's internal address (INTERNAL_HOST, INTERNAL_PORT)" }
  ]
  const broker = [{ url: 'http://127.0.0.1:18083', description: "The broker's management address" }]
  return {
    [mqttAuthPath]: {
      servers: api,
      post: {
        ...common,
        operationId: 'mqttAuth',
        summary: 'May this client connect, and to which topics',
        requestBody: { required: true, ...json(book.schema(mqttAuthRequest, 'input')) },
        responses: answered('Always 200; anything else counts as a denial', json(book.schema(mqttAuthAnswer, 'output')))
      }
    },
    [mqttAuthBatchPath]: {
      servers: api,
      post: {
        ...common,
        operationId: 'mqttAuthBatch',
        summary: 'The same of several clients, for our own broker; the answers stand in the order of the questions',
        requestBody: { required: true, ...json(book.schema(mqttAuthBatchRequest, 'input')) },
        responses: answered(
          '`ignore` says that this one could not be checked',
          json(book.schema(mqttAuthBatchAnswer, 'output'))
        )
      }
    },
    [mqttRefusedPath]: {
      servers: api,
      post: {
        ...common,
        operationId: 'mqttRefused',
        summary: 'What the broker refused by itself, for the unauthorized log',
        requestBody: { required: true, ...json(book.schema(mqttRefusal, 'input')) },
        responses: answered('Not read')
      }
    },
    [brokerClientsPath]: {
      servers: broker,
      get: {
        ...common,
        operationId: 'listBrokerClients',
        summary: 'The connections of the broker',
        parameters: [{ name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 1 } }],
        responses: answered('Connections', json(book.schema(brokerClientList, 'output')))
      }
    },
    [`${brokerClientsPath}/{clientid}`]: {
      servers: broker,
      delete: {
        ...common,
        operationId: 'closeBrokerClient',
        summary: 'Close that connection now (revocation)',
        parameters: [{ name: 'clientid', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { '204': { description: 'Closed' }, '404': { description: 'No such connection' } }
      }
    }
  }
}

/** The pages that a board serves on the local network in setup mode. */
export function boardPaths(book: SchemaBook): JsonObject {
  const common = { tags: ["Board's own pages"], security: [] }
  const servers = [
    { url: 'http://{board}', description: 'The board, in setup mode', variables: { board: { default: '192.168.4.1' } } }
  ]
  return {
    '/': {
      servers,
      get: {
        ...common,
        operationId: 'boardForm',
        summary: 'A form a person can fill in',
        responses: answered('The form', page)
      }
    },
    [setupConfigPath]: {
      servers,
      post: {
        ...common,
        operationId: 'setupConfig',
        summary: 'Give the board its Wi-Fi, its owner and its server',
        requestBody: {
          required: true,
          content: { 'application/x-www-form-urlencoded': { schema: book.schema(setupForm, 'input') } }
        },
        responses: {
          ...answered('What happens next; the password is never shown', page),
          '400': { description: 'Names the fault', ...page },
          '403': { description: 'Not in setup mode', ...page }
        }
      }
    }
  }
}
