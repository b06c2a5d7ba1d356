import { MongoError, unsupported } from '../errors.ts'

/** Expressions of MongoDB that are not done here; anything else is no expression at all. */
const KNOWN = new Set([
  '$function',
  '$accumulator',
  '$meta',
  '$rand',
  '$sampleRate',
  '$toHashedIndexKey',
  '$toDecimal',
  '$tsSecond',
  '$tsIncrement',
  '$binarySize',
  '$bsonSize',
  '$median',
  '$percentile',
  '$encStrStartsWith'
])

export const refuseExpression = (name: string): MongoError =>
  KNOWN.has(name) ? unsupported(`the expression ${name}`) : new MongoError(168, `Unrecognized expression '${name}'`)
