import type { z } from 'zod'
import * as contracts from '../../src/index.ts'
import {
  apiBasePath,
  clientEventAcks,
  clientEvents,
  downPayloads,
  downTopics,
  errorCodes,
  errorStatus,
  serverEvents,
  upPayloads,
  upTopics
} from '../../src/index.ts'
import { allRoutes } from '../../src/routes.ts'
import { accessText } from './access-text.ts'
import { eventPurpose, topicPurpose } from './purposes.ts'
import { routesInReadingOrder, routeTags } from './reading-order.ts'
import { commonErrors, routeErrors } from '../../src/http/route-errors.ts'
import { createSchemaBook, type SchemaBook } from './schema-book.ts'
import { namedShapes, shapeText } from './shape-text.ts'

const note = 'Generated from `packages/contracts` by `npm run generate`: do not edit.'

/** Writes a Markdown table. Cells are not escaped, except for `|`. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
const code = (text: string): string => (text === '' ? '' : `\`${text}\``)
const page = (title: string, ...parts: readonly string[]): string => [`# ${title}`, note, ...parts].join('\n\n') + '\n'

/** Says how to read what a newer server sends. */
const later =
  'A newer server may send fields and values that are not listed here: ignore such fields, and accept such values.'

/** Lists the shapes that the sections name. */
function withShapes(sections: readonly string[], book: SchemaBook): string[] {
  const rows = [...namedShapes(sections.join('\n'), book)].map(([name, shape]) => [code(name), code(shape)])
  return [...sections, '## Shapes', table(['Name', 'Shape'], rows)]
}

/** Writes every call, one table per tag. In shapes, `field?` may be missing. */
export function httpPage(): string {
  const book = createSchemaBook()
  const sections = routeTags().flatMap((tag) => [
    `## ${tag}`,
    table(
      ['Call', 'Who', 'Sends', 'Answers (`data`)', 'Refused with'],
      routesInReadingOrder()
        .filter((one) => one.tag === tag)
        .map(({ route }) => [
          `${code(`${route.method.toUpperCase()} ${route.path}`)}<br>${route.summary}`,
          accessText(route.access),
          [
            ...(route.query === undefined ? [] : [`query ${code(shapeText(route.query, 'input', book))}`]),
            ...(route.multipart === undefined ? [] : [`multipart, file ${code(route.multipart.file)}`]),
            ...(route.body === undefined ? [] : [code(shapeText(route.body, 'input', book))])
          ].join('<br>'),
          [
            answerText(route.status ?? 200, route.answer, book),
            ...(route.previewAnswer === undefined ? [] : [`previewed ${answerText(200, route.previewAnswer, book)}`])
          ].join('<br>'),
          routeErrors(route)
            .filter((name) => !commonErrors.includes(name))
            .join(' ')
        ])
    )
  ])
  return page(
    'HTTP',
    `Below \`${apiBasePath}\`. Exact schemas: \`openapi.json\`. Any call may also answer ${commonErrors.join(', ')}. ${later}`,
    ...withShapes(sections, book)
  )
}

const answerText = (status: number, answer: z.ZodType | undefined, book: SchemaBook): string =>
  `${String(status)} ${answer === undefined ? '' : code(shapeText(answer, 'output', book))}`.trim()

export function mqttPage(): string {
  const book = createSchemaBook()
  const up = upTopics.map((name) => [
    code(`d/{deviceId}/up/${name}`),
    topicPurpose[`up/${name}`] ?? '',
    code(shapeText(upPayloads[name], 'input', book))
  ])
  const down = downTopics.map((name) => [
    code(`d/{deviceId}/down/${name}`),
    topicPurpose[`down/${name}`] ?? '',
    code(shapeText(downPayloads[name], 'output', book))
  ])
  const head = ['Topic', 'What for', 'Payload']
  return page(
    'MQTT',
    `MQTT 3.1.1 over TLS, JSON, QoS 0 (1 is accepted), not retained, clean session. Exact schemas: \`asyncapi.json\`. ${later}`,
    ...withShapes(['## Board to server', table(head, up), '## Server to board', table(head, down)], book)
  )
}

export function socketPage(): string {
  const book = createSchemaBook()
  const isClientEvent = (name: string): name is contracts.ClientEvent => Object.hasOwn(clientEvents, name)
  const sent = Object.keys(clientEvents)
    .filter(isClientEvent)
    .map((name) => [
      code(name),
      eventPurpose[name] ?? '',
      code(shapeText(clientEvents[name], 'input', book)),
      code(shapeText(clientEventAcks[name], 'output', book))
    ])
  const received = Object.entries(serverEvents).map(([name, schema]) => [
    code(name),
    eventPurpose[name] ?? '',
    code(shapeText(schema, 'output', book))
  ])
  return page(
    'Socket',
    `socket.io 4, websocket only; handshake \`auth: { token }\`. Exact schemas: \`asyncapi.json\`. ${later}`,
    ...withShapes(
      [
        '## Client sends',
        table(['Event', 'What for', 'Argument', 'Acknowledged with'], sent),
        '## Server sends',
        table(['Event', 'What for', 'Payload'], received)
      ],
      book
    )
  )
}

export function errorsPage(): string {
  const rows = errorCodes.map((name) => [
    code(name),
    String(errorStatus[name]),
    String(allRoutes.filter(({ route }) => routeErrors(route).includes(name)).length)
  ])
  return page(
    'Error codes',
    'Closed list. Body: `{ statusCode, success: false, message, code, errors?: [{ path, message }], requestId }`; socket: `{ ok: false, code, message }`.',
    table(['Code', 'Status', 'Calls that name it'], rows)
  )
}

/** Lists the numbers, strings and string lists that contracts export: the shared constants of rules and wire. */
export function constantsPage(): string {
  const isConstant = (value: unknown): boolean =>
    typeof value === 'number' ||
    typeof value === 'string' ||
    (Array.isArray(value) && value.every((one) => typeof one === 'string'))
  const rows = Object.entries(contracts)
    .filter(([, value]) => isConstant(value))
    .map(([name, value]) => [code(name), code(JSON.stringify(value))])
  return page('Constants', 'Milliseconds unless the name says otherwise.', table(['Name', 'Value'], rows))
}
