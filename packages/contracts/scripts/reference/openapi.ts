import { z } from 'zod'
import { apiBasePath, errorBody, outboxMessage, outboxPath, type ErrorCode, type Route } from '../../src/index.ts'
import { allRoutes, type TaggedRoute } from '../../src/routes.ts'
import { accessText } from './access-text.ts'
import { answerBody } from './answer-body.ts'
import { brokerHookPaths, boardPaths, healthPaths } from './other-paths.ts'
import { routesInReadingOrder, routeTags } from './reading-order.ts'
import { errorsByStatus, routeErrors } from '../../src/http/route-errors.ts'
import { createSchemaBook, isObject, type JsonObject, type SchemaBook } from './schema-book.ts'

/** The only calls that accept the refresh token as a cookie. */
const cookieCalls = new Set(['refreshToken', 'logout'])

/** Builds `docs/reference/openapi.json`: every HTTP call of the product, its hooks and its boards, as OpenAPI 3.1. */
export function openApiDocument(): JsonObject {
  const book = createSchemaBook()
  const tags = routeTags()
  const paths: { [path: string]: JsonObject } = {}
  for (const one of routesInReadingOrder()) {
    const item = (paths[one.route.path] ??= {})
    item[one.route.method] = operation(one, book)
  }
  const outbox = z.array(outboxMessage)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Batti',
      version: '1.0.0',
      summary: 'A self-hosted platform for smart-switch boards',
      description:
        'Generated from packages/contracts: do not edit. Success answers `{ statusCode, success, message, data }`, and the fields of `data` once more at the top level; a record or a bare list stands in `data` alone. Refusals answer `ErrorBody`, whose `message` is a sentence a person can act on.'
    },
    servers: [{ url: apiBasePath, description: 'Below the address of the product' }],
    tags: [...tags, 'Health and demo', "Broker's hooks", "Board's own pages"].map((name) => ({ name })),
    security: [{ accessToken: [] }],
    paths: {
      ...paths,
      ...healthPaths(outboxPath, book.schema(outbox, 'output')),
      ...brokerHookPaths(book),
      ...boardPaths(book)
    },
    components: {
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: '`accessToken` of POST /user/login: 15 minutes.'
        },
        refreshCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'batti_refresh',
          description: 'Read by refresh and logout alone, from our own pages.'
        },
        internalSecret: {
          type: 'http',
          scheme: 'bearer',
          description: 'INTERNAL_SECRET, on the internal network only.'
        }
      },
      responses: refusalResponses(),
      schemas: { ErrorBody: book.schema(errorBody, 'output'), ...book.components() }
    }
  }
}

function operation({ tag, name, route }: TaggedRoute, book: SchemaBook): JsonObject {
  const parameters = [...parametersOf(route.params, 'path', book), ...parametersOf(route.query, 'query', book)]
  return {
    operationId: name,
    tags: [tag],
    summary: route.summary,
    description: describe(route),
    ...security(name, route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(route, book),
    responses: responses(route, book)
  }
}

function describe(route: Route): string {
  const refused = [...(route.forbidden ?? [])]
  const refusedToUsers = route.forbiddenToUsers ?? []
  return [
    `Who: ${accessText(route.access)}.`,
    ...(refused.length === 0 ? [] : [`Answers 400 for a body with any of: ${refused.join(', ')}.`]),
    ...(refusedToUsers.length === 0 ? [] : [`A user may not send: ${refusedToUsers.join(', ')}.`])
  ].join(' ')
}

function security(name: string, route: Route): JsonObject {
  if (cookieCalls.has(name)) return { security: [{}, { refreshCookie: [] }] }
  return route.access.kind === 'public' ? { security: [] } : {}
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query', book: SchemaBook): JsonObject[] {
  if (schema === undefined) return []
  const written = book.schema(schema, 'input')
  const required = Array.isArray(written['required']) ? written['required'] : []
  return Object.entries(isObject(written['properties']) ? written['properties'] : {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: field
  }))
}

function requestBody(route: Route, book: SchemaBook): JsonObject {
  if (route.body === undefined && route.multipart === undefined) return {}
  const json = route.body === undefined ? { type: 'object', properties: {} } : book.schema(route.body, 'input')
  if (route.multipart === undefined) {
    const required = route.body !== undefined && !route.body.safeParse(undefined).success
    return { requestBody: { required, content: { 'application/json': { schema: json } } } }
  }
  const { file } = route.multipart
  const fields = isObject(json['properties']) ? json['properties'] : {}
  const lists = Object.keys(fields).filter((name) => JSON.stringify(fields[name]).includes('"array"'))
  const isFileAlone = route.body === undefined
  const form = {
    ...json,
    properties: {
      ...fields,
      [file]: { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' }
    },
    ...(isFileAlone ? { required: [file] } : {})
  }
  const encoding = Object.fromEntries(lists.map((name) => [name, { contentType: 'application/json' }]))
  const content = {
    'multipart/form-data': { schema: form, ...(lists.length === 0 ? {} : { encoding }) },
    ...(isFileAlone ? {} : { 'application/json': { schema: json } })
  }
  return { requestBody: { required: true, content } }
}

function responses(route: Route, book: SchemaBook): JsonObject {
  const status = route.status ?? 200
  const refusals = errorsByStatus(routeErrors(route)).map(([refused, codes]): [string, JsonObject] => [
    String(refused),
    { $ref: `#/components/responses/${codes.join('.')}` }
  ])
  const success = {
    description: route.message ?? 'OK',
    content: {
      'application/json': { schema: answerBody(route, status, book) },
      ...(route.rows === undefined ? {} : { 'text/csv': { schema: { type: 'string' } } })
    }
  }
  const { previewAnswer } = route
  const previewed = previewAnswer && {
    description: 'What it would reach; nothing was done',
    content: { 'application/json': { schema: answerBody({ ...route, answer: previewAnswer }, 200, book) } }
  }
  return {
    ...(previewed && { 200: previewed }),
    [String(status)]: success,
    ...Object.fromEntries(refusals)
  }
}

/** Returns one shared response for each distinct set of codes under one status. */
function refusalResponses(): JsonObject {
  const groups = allRoutes.flatMap(({ route }) => errorsByStatus(routeErrors(route)))
  const named = new Map(
    groups.map(([status, codes]): [string, JsonObject] => [codes.join('.'), refusal(status, codes)])
  )
  return Object.fromEntries([...named].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const retryAfter = {
  'Retry-After': { description: 'Seconds until another attempt makes sense', schema: { type: 'integer', minimum: 1 } }
}

const refusalHeaders: { readonly [Code in ErrorCode]?: JsonObject } = {
  UNAUTHENTICATED: { 'WWW-Authenticate': { schema: { const: 'Bearer' } } },
  TOO_MANY_REQUESTS: retryAfter,
  UNAVAILABLE: retryAfter
}

function refusal(status: number, codes: readonly ErrorCode[]): JsonObject {
  const narrowed = {
    type: 'object',
    properties: { statusCode: { type: 'integer', enum: [status] }, code: { enum: codes } }
  }
  const schema = { allOf: [{ $ref: '#/components/schemas/ErrorBody' }, narrowed] }
  return {
    description: codes.join(', '),
    ...(codes.some((code) => code in refusalHeaders) && {
      headers: Object.assign({}, ...codes.map((code) => refusalHeaders[code]))
    }),
    content: { 'application/json': { schema } }
  }
}
