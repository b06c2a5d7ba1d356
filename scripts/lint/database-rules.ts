import { isNode, keyName, memberName, type RuleContext, type Visitor } from './ast.ts'

const serverSideScript =
  'No JavaScript inside the database: write the condition with operators, or compute it in the service.'
const geo = 'No geo queries: homes have rooms, not coordinates.'
const text = 'No $text: search with an anchored, escaped $regex on an indexed field.'
const decimal = 'No Decimal128: keep whole numbers in the smallest unit.'

/** Operators and options that app code must not send to a database, with the alternative. */
const banned: Readonly<Record<string, string>> = {
  $where: serverSideScript,
  $function: serverSideScript,
  $accumulator: serverSideScript,
  mapReduce: serverSideScript,
  $near: geo,
  $nearSphere: geo,
  $geoNear: geo,
  $geoWithin: geo,
  $geoIntersects: geo,
  $text: text,
  Decimal128: decimal,
  $toDecimal: decimal,
  capped: 'No capped collections: keep a bounded log with a TTL index.'
}
const bannedIndexKinds: Readonly<Record<string, string>> = { '2d': geo, '2dsphere': geo, text }
const zoned = new Set(['$dateTrunc', '$dateAdd', '$dateSubtract', '$dateDiff', '$dateToParts'])
const zonedMessage =
  'No zone arithmetic in the database: compute the bounds with Temporal in the service and query by instant.'

const own = (record: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

/**
 * Reports database features that app code must not use, so that MongoDB and the embedded engine behave alike
 * (docs/adr/0004-embedded-database.md).
 */
export function databaseRules(context: RuleContext): Visitor {
  return {
    Property: (node) => {
      const name = keyName(node)
      if (name === null) return
      const value = node['value']
      const message = own(banned, name)
      if (message !== undefined) context.report({ node, message })
      if (!isNode(value)) return
      const kind =
        value.type === 'Literal' && typeof value['value'] === 'string'
          ? own(bannedIndexKinds, value['value'])
          : undefined
      if (kind !== undefined && !['type', 'kind', 'format'].includes(name)) context.report({ node, message: kind })
      if (!zoned.has(name) || value.type !== 'ObjectExpression' || !Array.isArray(value['properties'])) return
      if (value['properties'].some((property: unknown) => keyName(property) === 'timezone')) {
        context.report({ node, message: zonedMessage })
      }
    },
    MemberExpression: (node) => {
      const name = memberName(node)
      const message = name === null || name === 'capped' ? undefined : own(banned, name)
      if (message !== undefined) context.report({ node, message })
    }
  }
}
