import { z } from 'zod'
import { errorCodes, errorStatus, type ErrorCode } from './errors.ts'

/** One fault of an input: where it is (`repeatDays.0`) and what to do about it. */
export const fieldFault = z.object({ path: z.string(), message: z.string() })
export type FieldFault = z.infer<typeof fieldFault>

/** The body of every refused call. `message` is a sentence a person can act on: screens show it as it stands. */
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
 * The one answer envelope: the payload is `data`, and its fields stand once more at the top level, because
 * some clients read `body.data.devices` and some `body.devices`.
 * A list or a record (`spread: false`) stands in `data` alone. Envelope fields are never overridden.
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

/** The error envelope of `code`. Its status is the code's own. */
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
