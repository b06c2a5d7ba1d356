import { errorBody, isErrorCode } from '@batti/contracts'
import { parseJson } from '@batti/kit/json'
import { z } from 'zod'
import { ApiError } from './api-error.ts'
import { lenientParse } from './lenient-parse.ts'
import type { HttpAnswer } from './transport.ts'

/** The status decides whether an answer is good: `success` may be missing, but it must not be false. */
const envelope = z.looseObject({
  success: z.literal(true).optional(),
  message: z.string().catch(''),
  data: z.unknown().optional()
})

/** The envelope of a good answer: its payload, its message, and every other field of the body. */
export interface Envelope<Data> {
  data: Data
  message: string
  body: Record<string, unknown>
}

/** Builds the `ApiError` of a refused answer. Any JSON with a `message` gives its text; a page (HTML, empty) gives none. */
function refusal(answer: HttpAnswer, json: unknown): ApiError {
  const retryAfter = Number(answer.retryAfter)
  const retryAfterS = answer.retryAfter !== null && Number.isFinite(retryAfter) ? retryAfter : null
  const parsed = lenientParse(errorBody, json)
  if (parsed.success) {
    return new ApiError(parsed.data.code, parsed.data.message, {
      status: answer.status,
      errors: parsed.data.errors ?? [],
      retryAfterS,
      requestId: parsed.data.requestId
    })
  }
  const loose = z.looseObject({ message: z.string(), code: z.string().optional() }).safeParse(json)
  const code = loose.success && isErrorCode(loose.data.code) ? loose.data.code : 'UNEXPECTED_ANSWER'
  return new ApiError(code, loose.success ? loose.data.message : '', { status: answer.status, retryAfterS })
}

/** Returns the JSON of a good answer, or undefined when its text is not JSON. @throws ApiError for a refused one. */
export function readJson(answer: HttpAnswer): unknown {
  const json = parseJson(answer.text)
  if (answer.status >= 400) throw refusal(answer, json)
  return json
}

/**
 * Parses an answer; `schema` describes the `data` of its envelope.
 * @throws ApiError for a refused answer, with `UNEXPECTED_ANSWER` for one that does not match the contract.
 */
export function readAnswer(answer: HttpAnswer, schema: z.ZodType | undefined): Envelope<unknown> {
  const json = readJson(answer)
  const outer = envelope.safeParse(json)
  if (!outer.success) throw new ApiError('UNEXPECTED_ANSWER', '', { status: answer.status, cause: outer.error })
  const { message, data, ...body } = outer.data
  if (schema === undefined) return { data: undefined, message, body }
  const inner = lenientParse(schema, data)
  if (!inner.success) throw new ApiError('UNEXPECTED_ANSWER', '', { status: answer.status, cause: inner.error })
  return { data: inner.data, message, body }
}
