import { z } from 'zod'
import { updateErrorCode, updateErrorCodes, updatePhases } from '../firmware.ts'
import { objectId } from '../ids.ts'
import { clockTime } from '../mqtt/payloads.ts'
import { writtenFilter } from './device-filter.ts'
import { phaseCounts, rolloutTarget } from '../socket/rollout-progress.ts'
import { commaList, idParams, isoDate, lineText, pageInfo, sortedQuery, wholeNumber } from './fields.ts'
import { adminOnly, route, staffWith } from './route.ts'

export const rolloutKinds = ['firmware', 'settings'] as const
export type RolloutKind = (typeof rolloutKinds)[number]
export const rolloutStates = ['waiting-approval', 'running', 'asking', 'paused', 'done', 'cancelled'] as const
export type RolloutState = (typeof rolloutStates)[number]
export const pauseReasons = ['staff', 'failures', 'silence', 'regression'] as const
export type PauseReason = (typeof pauseReasons)[number]
export const stageEnds = ['go', 'ask'] as const
export type StageEnd = (typeof stageEnds)[number]
export const updateTimes = ['any', 'night', 'idle'] as const
export type UpdateTime = (typeof updateTimes)[number]
export const excludedReasons = [
  'wrong-model',
  'up-to-date',
  'older-secure-version',
  'withdrawn',
  'pinned',
  'busy',
  'needs-step'
] as const
export type ExcludedReason = (typeof excludedReasons)[number]

/** How long a stage holds if neither the stage nor its rollout says otherwise: 30 minutes. */
export const defaultHoldMinutes = 30
export const defaultMaxFailurePercent = 5
export const defaultAtOnce = 10

const holdMinutes = wholeNumber(0, 10_080)
const boardIds = z.array(objectId).min(1, 'name at least one board').max(10_000, 'names too many boards: use a filter')

/** The size of a stage: a number of boards, boards up to a cumulative share of all, or the boards with a label. */
const stageInput = z
  .object({
    devices: wholeNumber(1, 1_000_000).optional(),
    percent: z.number().gt(0, 'must be above 0').max(100, 'must be at most 100').optional(),
    group: lineText(32).min(1, 'is required').optional(),
    holdMinutes: holdMinutes.optional(),
    then: z.enum(stageEnds).default('go')
  })
  .refine((stage) => [stage.devices, stage.percent, stage.group].filter((size) => size !== undefined).length === 1, {
    message: 'needs exactly one of devices, percent and group'
  })
export type RolloutStageInput = z.output<typeof stageInput>

/** When updates are sent: `from` (inclusive) to `to` (exclusive) in the board's zone, past midnight if `to` is earlier. */
export const allowedHours = z
  .object({ from: clockTime, to: clockTime })
  .refine(({ from, to }) => from !== to, { path: ['to'], message: 'must differ from allowedHours.from' })
export type AllowedHours = z.infer<typeof allowedHours>

/** Boards selected by id or by a filter. */
export const boardTarget = z.object({ deviceIds: boardIds.optional(), filter: writtenFilter.optional() })
export type BoardTarget = z.output<typeof boardTarget>
export const isOneTarget = ({ deviceIds, filter }: BoardTarget): boolean =>
  (deviceIds === undefined) !== (filter === undefined)
export const rolloutBody = z
  .object({
    fileName: z.string().min(1, 'is required').max(255, 'must be at most 255 characters'),
    target: boardTarget.refine(isOneTarget, 'must be { deviceIds } or { filter }'),
    stages: z.array(stageInput).min(1, 'needs at least one stage').max(20, 'has too many stages').optional(),
    holdMinutes: holdMinutes.optional(),
    maxFailurePercent: z.number().min(0, 'must be at least 0').max(100, 'must be at most 100').optional(),
    allowedHours: allowedHours.nullish(),
    atOnce: wholeNumber(1, 1000).optional(),
    follow: z.boolean().default(false),
    updateWhen: z.enum(updateTimes).default('any')
  })
  .refine(({ follow, target: chosen }) => !follow || chosen.filter !== undefined, {
    path: ['follow'],
    message: 'needs a filter: boards that come later are found by it'
  })
  .refine(
    ({ stages }) =>
      stages === undefined || stages.at(-1)?.percent === undefined || stages.some(({ percent }) => percent === 100),
    { path: ['stages'], message: 'never reach all boards: end with percent 100' }
  )
export type RolloutBody = z.output<typeof rolloutBody>

export const rolloutStage = z.object({
  devices: z.int().optional(),
  percent: z.number().optional(),
  group: z.string().optional(),
  holdMinutes: z.int(),
  then: z.enum(stageEnds),
  total: z.int(),
  done: z.int(),
  startedAt: isoDate.nullable(),
  endedAt: isoDate.nullable()
})

/** A trait that many boards with one failure share, and updated boards do not. `owner`: a user id. */
const sharedTrait = z.object({ what: z.enum(['hwModel', 'owner', 'signal']), value: z.string(), count: z.int() })
export type SharedTrait = z.infer<typeof sharedTrait>

export const rolloutRecord = z.object({
  _id: z.string(),
  kind: z.enum(rolloutKinds),
  fileName: z.string().nullable(),
  version: z.string().nullable(),
  state: z.enum(rolloutStates),
  total: z.int(),
  counts: phaseCounts,
  stages: z.array(rolloutStage),
  maxFailurePercent: z.number(),
  atOnce: z.int(),
  allowedHours: z.object({ from: z.string(), to: z.string() }).nullable(),
  updateWhen: z.enum(updateTimes),
  follow: z.boolean(),
  paused: z
    .object({ by: z.enum(pauseReasons), at: isoDate, tried: z.int(), failed: z.int(), limit: z.number() })
    .nullable(),
  /** `common`: only in the answer for a single rollout, and only if there is such a trait. */
  failures: z.array(
    z.object({
      code: updateErrorCode,
      count: z.int(),
      retryable: z.boolean(),
      common: z.array(sharedTrait).optional()
    })
  ),
  /** What a bulk change sets, without secrets; null for firmware. */
  set: z.record(z.string(), z.unknown()).nullable(),
  createdAt: isoDate,
  createdBy: z.string().nullable()
})
export type RolloutRecord = z.infer<typeof rolloutRecord>

export const excludedCounts = z.array(z.object({ reason: z.enum(excludedReasons), count: z.int() }))
export type ExcludedCount = z.infer<typeof excludedCounts>[number]

export const createRollout = route({
  method: 'post',
  path: '/rollouts',
  summary: 'Roll an image out to boards, in stages',
  access: adminOnly,
  errors: ['NOT_FOUND', 'CONFLICT'],
  body: rolloutBody,
  answer: rolloutRecord,
  shape: 'record',
  status: 201,
  message: 'Rollout started.'
})
export const previewRollout = route({
  method: 'post',
  path: '/rollouts/preview',
  summary: 'What a rollout would do, without doing it',
  access: adminOnly,
  errors: ['NOT_FOUND', 'CONFLICT'],
  body: rolloutBody,
  forbidden: createRollout.forbidden ?? [],
  answer: z.object({ total: z.int(), stages: z.array(z.int()), excluded: excludedCounts })
})
export const listRollouts = route({
  method: 'get',
  path: '/rollouts',
  summary: 'Rollouts and bulk changes, newest first; `state` is one of theirs, or several separated by commas',
  access: staffWith('view devices'),
  query: sortedQuery(['createdAt', 'state', 'fileName', 'version', 'kind', 'total', 'progress', 'failed', 'stage'])
    .extend({
      state: commaList(rolloutStates).optional(),
      /** An alias of `state`. */
      phase: commaList(rolloutStates).optional(),
      kind: z.enum(rolloutKinds).optional()
    })
    .refine(({ state, phase }) => state === undefined || phase === undefined || String(state) === String(phase), {
      path: ['phase'],
      message: 'must not differ from state'
    }),
  rows: 'rollouts',
  answer: z.object({
    rollouts: z.array(rolloutRecord),
    /** How many rollouts the filter matches in each state, regardless of the requested states. */
    byState: z.partialRecord(z.enum(rolloutStates), z.int()),
    ...pageInfo
  })
})
export const getRollout = route({
  method: 'get',
  path: '/rollouts/{id}',
  summary: 'One rollout',
  access: staffWith('view devices'),
  params: idParams,
  answer: rolloutRecord,
  shape: 'record'
})
/** `deviceName`: the name its owner gave the board, else the name of its model. */
const namedTarget = rolloutTarget.extend({ deviceName: z.string() })

export const listRolloutTargets = route({
  method: 'get',
  path: '/rollouts/{id}/targets',
  summary: 'The boards of a rollout and how far each is',
  access: staffWith('view devices'),
  params: idParams,
  query: sortedQuery(['deviceName', 'deviceMac', 'phase', 'percent', 'error', 'changedAt']).extend({
    phase: commaList(updatePhases).optional()
  }),
  rows: 'targets',
  answer: z.object({ targets: z.array(namedTarget), ...pageInfo })
})
export const updateRollout = route({
  method: 'patch',
  path: '/rollouts/{id}',
  summary: 'Start, pause, resume or cancel a rollout',
  access: adminOnly,
  errors: ['CONFLICT'],
  params: idParams,
  body: z.object({ state: z.enum(['running', 'paused', 'cancelled']) }),
  answer: rolloutRecord,
  shape: 'record',
  message: 'Rollout updated.'
})
export const retryRollout = route({
  method: 'post',
  path: '/rollouts/{id}/retry',
  summary: 'Try boards that failed once more',
  access: adminOnly,
  errors: ['CONFLICT'],
  params: idParams,
  body: z
    .object({ reason: z.enum(updateErrorCodes).optional(), deviceIds: boardIds.optional() })
    .refine(({ reason, deviceIds }) => reason === undefined || deviceIds === undefined, {
      path: ['deviceIds'],
      message: 'cannot be given together with reason'
    }),
  answer: rolloutRecord,
  shape: 'record',
  message: 'Boards wait for another try.'
})
export const rollForward = route({
  method: 'post',
  path: '/rollouts/{id}/roll-forward',
  summary: 'Send another, higher version to every board that this rollout has updated',
  access: adminOnly,
  errors: ['CONFLICT'],
  params: idParams,
  body: z.object({ fileName: z.string().min(1).max(255) }),
  answer: rolloutRecord,
  shape: 'record',
  status: 201,
  message: 'Rollout started.'
})
