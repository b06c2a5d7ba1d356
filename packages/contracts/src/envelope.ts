import { z } from 'zod'
import { errorCodes, errorStatus, type ErrorCode } from './errors.ts'

/** One fault of an input: its location (`repeatDays.0`) and how to fix it. */
export const fieldFault = z.object({ path: z.string(), message: z.string() })
export type FieldFault = z.infer<typeof fieldFault>

/** The body of every refused call. `message` is a sentence that a person can act on; screens show it unchanged. */
export const errorBody = z.object({
  statusCode: z.int(),
  success: z.literal(false),
  message: z.string(),
  code: z.enum(errorCodes),
  errors: z.array(fieldFault).optional(),
  requestId: z.string()
})
export type ErrorBody = z.infer<typeof errorBody>

export interface SuccessBody {
  statusCode: number
  success: true
  message: string
  data: unknown
  [field: string]: unknown
}

const envelopeFields = new Set(['statusCode', 'success', 'message', 'data'])

/**
 * The envelope of every answer. The payload is in `data`, and its fields are repeated at the top level, because some
 * clients read `body.data.devices` and some `body.devices`.
 * A list or a record (`spread: false`) is in `data` only. Envelope fields are never overridden.
 */
export function successBody(
  statusCode: number,
  message: string,
  data: unknown,
  options: { spread?: boolean; beside?: Record<string, unknown> } = {}
): SuccessBody {
  const { spread = true, beside = {} } = options
  const body: SuccessBody = { statusCode, success: true, message, data }
  const isPlain = typeof data === 'object' && data !== null && !Array.isArray(data)
  const fields = { ...(spread && isPlain ? data : {}), ...beside }
  for (const [field, value] of Object.entries(fields)) if (!envelopeFields.has(field)) body[field] = value
  return body
}

/** Returns the error envelope of `code`, with the status of that code. */
export function failureBody(
  code: ErrorCode,
  message: string,
  requestId: string,
  errors?: readonly FieldFault[]
): ErrorBody {
  const body: ErrorBody = { statusCode: errorStatus[code], success: false, message, code, requestId }
  if (errors !== undefined && errors.length > 0) body.errors = [...errors]
  return body
}
