import type { Route } from '../../src/index.ts'
import { isObject, type JsonObject, type SchemaBook } from './schema-book.ts'

const envelopeFields = ['statusCode', 'success', 'message', 'data']

/** Returns the schema of a success body: the envelope, and the payload's fields again beside `data` where they are spread. */
export function answerBody(route: Route, status: number, book: SchemaBook): JsonObject {
  const data = route.answer === undefined ? { type: 'null' } : book.schema(route.answer, 'output')
  const needed: unknown[] = Array.isArray(data['required']) ? data['required'] : []
  const envelope = (payload: JsonObject, beside: JsonObject = {}): JsonObject => ({
    type: 'object',
    properties: {
      statusCode: { const: status },
      success: { const: true },
      message: { type: 'string' },
      data: payload,
      ...beside
    },
    required: [...envelopeFields, ...Object.keys(beside).filter((name) => needed.includes(name))]
  })
  if (route.answer === undefined || (route.shape ?? 'fields') !== 'fields') return envelope(data)

  const fields = isObject(data['properties']) ? data['properties'] : {}
  const collides = envelopeFields.some((field) => field in fields)
  if (!collides) return { allOf: [envelope(data), data] }

  const spread = Object.fromEntries(Object.entries(fields).filter(([name]) => !envelopeFields.includes(name)))
  const forUsers = envelope(data, spread)
  const list = route.bareListForStaff === undefined ? undefined : spread[route.bareListForStaff]
  if (!isObject(list)) return forUsers
  return {
    oneOf: [
      { title: 'To a user', ...forUsers },
      { title: 'To staff', ...envelope(list, spread) }
    ]
  }
}
