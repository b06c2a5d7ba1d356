import { MongoError, unsupported } from '../../errors.ts'

/** Expressions of MongoDB that are not supported. Any other unknown name is no expression at all. */
const known = new Set([
  '$sin',
  '$cos',
  '$tan',
  '$asin',
  '$acos',
  '$atan',
  '$atan2',
  '$sinh',
  '$cosh',
  '$tanh',
  '$asinh',
  '$acosh',
  '$atanh',
  '$degreesToRadians',
  '$radiansToDegrees',
  '$bitAnd',
  '$bitOr',
  '$bitXor',
  '$bitNot',
  '$stdDevPop',
  '$stdDevSamp',
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
  known.has(name) ? unsupported(`the expression ${name}`) : new MongoError(168, `Unrecognized expression '${name}'`)
