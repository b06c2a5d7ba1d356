import { z } from 'zod'

/** The part of a JSON Schema that the page uses. */
const schemaNode = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  format: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), schemaNode).optional()
  },
  /** `false` closes a tuple: it has no further items. */
  get items() {
    return z.union([schemaNode, z.boolean()]).optional()
  },
  get anyOf() {
    return z.array(schemaNode).optional()
  },
  get oneOf() {
    return z.array(schemaNode).optional()
  },
  get allOf() {
    return z.array(schemaNode).optional()
  }
})
export type SchemaNode = z.infer<typeof schemaNode>

const content = z.record(z.string(), z.object({ schema: schemaNode.optional() })).optional()
const answer = z.object({ $ref: z.string().optional(), description: z.string().optional(), content })
const parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: schemaNode.optional()
})
const operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()).default([]),
  summary: z.string().default(''),
  description: z.string().default(''),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  parameters: z.array(parameter).default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), answer)
})
const servers = z.array(z.object({ url: z.string() })).optional()
const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
const pathItem = z.object({
  servers,
  get: operation.optional(),
  post: operation.optional(),
  put: operation.optional(),
  patch: operation.optional(),
  delete: operation.optional()
} satisfies Record<(typeof methods)[number] | 'servers', z.ZodType>)
type Operation = z.infer<typeof operation>

/** The part of an OpenAPI 3.1 description that the page shows. */
export const apiDescription = z.object({
  info: z.object({ version: z.string(), description: z.string().default('') }),
  servers,
  tags: z.array(z.object({ name: z.string() })).default([]),
  security: operation.shape.security,
  paths: z.record(z.string(), pathItem),
  components: z.object({ schemas: z.record(z.string(), schemaNode).default({}) })
})
export type ApiDescription = z.infer<typeof apiDescription>

export interface ApiCall {
  id: string
  method: (typeof methods)[number]
  /** Includes the base path. */
  path: string
  summary: string
  description: string
  parameters: z.infer<typeof parameter>[]
  /** By content type. */
  body: { type: string; schema: SchemaNode | null }[]
  answers: { status: string; words: string; schema: SchemaNode | null }[]
  /** Who may call it: an account, anybody, or only other parts of the product. */
  access: 'account' | 'anybody' | 'internal'
  /** Whether the call is for this server. */
  isHere: boolean
}
export interface CallGroup {
  name: string
  calls: ApiCall[]
}

/** Returns the calls by group, in the description's order. */
export function groupsOf(description: ApiDescription): CallGroup[] {
  const calls = Object.entries(description.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const found = item[method]
      const base = (item.servers ?? description.servers)?.[0]?.url ?? '/'
      const security = found?.security ?? description.security ?? []
      return found === undefined
        ? []
        : [
            {
              tag: found.tags[0] ?? '',
              call: { ...callOf(found), ...placeOf(method, base, path), ...accessOf(security) }
            }
          ]
    })
  )
  return description.tags
    .map(({ name }) => ({ name, calls: calls.flatMap(({ tag, call }) => (tag === name ? [call] : [])) }))
    .filter((group) => group.calls.length > 0)
}

const placeOf = (method: ApiCall['method'], base: string, path: string) => ({
  method,
  path: `${base.replace(/\/$/, '')}${path}`,
  isHere: base.startsWith('/')
})

function accessOf(security: readonly Record<string, unknown>[]): Pick<ApiCall, 'access'> {
  if (security.length === 0) return { access: 'anybody' }
  const isOfPeople = security.some((each) => 'accessToken' in each || 'refreshCookie' in each)
  return { access: isOfPeople ? 'account' : 'internal' }
}

const callOf = (found: Operation) => ({
  id: found.operationId,
  summary: found.summary,
  description: found.description,
  parameters: found.parameters,
  body: Object.entries(found.requestBody?.content ?? {}).map(([type, { schema }]) => ({
    type,
    schema: schema ?? null
  })),
  answers: Object.entries(found.responses).map(([status, { $ref, description: words = '', content: bodies }]) => ({
    status,
    words: $ref === undefined ? words : ($ref.split('/').at(-1) ?? '').replaceAll('.', ', '),
    schema: dataOf(Object.values(bodies ?? {})[0]?.schema)
  }))
})

/** Returns the schema of an answer's `data`, since the envelope around it is always the same. */
function dataOf(schema: SchemaNode | undefined): SchemaNode | null {
  const envelope = schema?.allOf?.[0] ?? schema
  return envelope?.properties?.['data'] ?? null
}
