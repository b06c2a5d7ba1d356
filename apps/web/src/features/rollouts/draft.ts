import { createRollout, deviceFilter, latinDigits, objectId, stageEnds, updateTimes } from '@batti/contracts'
import { z } from 'zod'
import { bodyRules } from '#web/lib/api/use-change.ts'

const stageDraft = z.object({
  /** For React keys only, as stages are added and removed. */
  id: z.int(),
  kind: z.enum(['devices', 'percent', 'group']),
  size: z.string(),
  /** Minutes; '' for the server's default. */
  hold: z.string(),
  then: z.enum(stageEnds)
})
export type StageDraft = z.infer<typeof stageDraft>

/** A rollout being filled in: texts as typed. */
export const rolloutDraft = z.object({
  fileName: z.string(),
  /** Boards by id; null if a filter selects them. */
  deviceIds: z.array(z.string()).readonly().nullable(),
  filter: deviceFilter,
  hasOwnStages: z.boolean(),
  stages: z.array(stageDraft).readonly(),
  maxFailurePercent: z.string(),
  atOnce: z.string(),
  hasHours: z.boolean(),
  from: z.string(),
  to: z.string(),
  follow: z.boolean(),
  updateWhen: z.enum(updateTimes)
})
export type RolloutDraft = z.infer<typeof rolloutDraft>

const firstStages: readonly StageDraft[] = [
  { id: 1, kind: 'devices', size: '1', hold: '30', then: 'go' },
  { id: 2, kind: 'percent', size: '5', hold: '1440', then: 'go' },
  { id: 3, kind: 'percent', size: '25', hold: '1440', then: 'go' },
  { id: 4, kind: 'percent', size: '100', hold: '', then: 'go' }
]

/** Returns the draft for an address: a file, and boards by `deviceIds` or by the filters of the board list. */
export function draftOf(params: URLSearchParams): RolloutDraft {
  const ids = (params.get('deviceIds') ?? '').split(',').filter((id) => objectId.safeParse(id).success)
  const wanted = Object.keys(deviceFilter.shape).flatMap((name) => {
    const value = params.get(name)
    return value === null || value === '' ? [] : [[name, value] as const]
  })
  const filter = deviceFilter.safeParse(Object.fromEntries(wanted))
  return {
    fileName: params.get('file') ?? '',
    deviceIds: ids.length > 0 ? ids : null,
    filter: filter.success ? filter.data : {},
    hasOwnStages: false,
    stages: firstStages,
    maxFailurePercent: '',
    atOnce: '',
    hasHours: false,
    from: '22:00',
    to: '06:00',
    follow: false,
    updateWhen: 'any'
  }
}

type Body = z.input<NonNullable<typeof createRollout.body>>

// Text that is not a number becomes NaN, and the call's schema reports the error.
const number = (text: string): number | undefined => {
  const trimmed = latinDigits(text).trim()
  return trimmed === '' ? undefined : Number(trimmed)
}
const given = <Value>(name: string, value: Value | undefined) => (value === undefined ? {} : { [name]: value })

/** Returns the body of the call. */
export function bodyOf(draft: RolloutDraft): Body {
  const { fileName, deviceIds, filter, follow, updateWhen } = draft
  return {
    fileName,
    target: deviceIds === null ? { filter } : { deviceIds: [...deviceIds] },
    follow,
    updateWhen,
    ...(draft.hasOwnStages && {
      stages: draft.stages.map(({ kind, size, hold, then }) => ({
        ...given(kind, kind === 'group' ? size.trim() : (number(size) ?? Number.NaN)),
        ...given('holdMinutes', number(hold)),
        then
      }))
    }),
    ...given('maxFailurePercent', number(draft.maxFailurePercent)),
    ...given('atOnce', number(draft.atOnce)),
    ...(draft.hasHours && { allowedHours: { from: draft.from, to: draft.to } })
  }
}

/** The message of a number's rule that has none of its own. */
const ownMessage: z.core.$ZodErrorMap = ({ code, expected }) =>
  code === 'invalid_type' && expected === 'number' ? 'must be a number' : undefined

/** Returns the errors, by the path of the field. */
export function faultsOf(draft: RolloutDraft): Record<string, string> {
  const issues = bodyRules(createRollout).safeParse(bodyOf(draft), { error: ownMessage }).error?.issues ?? []
  return Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]))
}
