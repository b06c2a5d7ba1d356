import { Long } from 'bson'
import { typeName } from '../../bson/document.ts'
import { double, integerValue, isNumeric, numberKind, toNumber, wholeNumber } from '../../bson/numbers.ts'
import { MongoError } from '../../errors.ts'
import { combine, noDecimal } from './add-numbers.ts'
import { dateAt } from './date-calendar.ts'
import type { OperatorCompiler } from './scope.ts'
import { argumentList, isNullish, nullable, requireNumber } from './operator-kit.ts'

const fold =
  (name: '$add' | '$multiply'): OperatorCompiler =>
  (argument, compile) => {
    const parts = argumentList(argument).map(compile)
    return (scope) => {
      let sum: unknown = name === '$add' ? 0 : 1
      let date: Date | null = null
      for (const part of parts) {
        const value = part(scope)
        if (isNullish(value)) return null
        if (name === '$add' && value instanceof Date) {
          if (date) throw new MongoError(16612, 'only one date allowed in an $add expression')
          date = value
        } else {
          if (!isNumeric(value)) {
            throw new MongoError(
              14,
              `${name} only supports numeric${name === '$add' ? ' or date' : ''} types, not ${typeName(value)}`
            )
          }
          sum = combine(name === '$add' ? 'add' : 'multiply', name, sum, value)
        }
      }
      return date ? dateAt(date.getTime() + Math.round(toNumber(sum)), name) : sum
    }
  }

/** Compiles a function of a double; int and long arguments give doubles. */
const real = (name: string, run: (value: number) => number, positiveCode?: number): OperatorCompiler =>
  nullable(name, 1, 1, ([value]) => {
    noDecimal(name, value)
    const number = requireNumber(name, value, 28765)
    if (positiveCode !== undefined) positive(name, number, positiveCode)
    return double(run(number))
  })

function positive(name: string, value: number, code: number): void {
  if (value <= 0) throw new MongoError(code, `${name}'s argument must be a positive number, but is ${value}`)
}

/** Compiles a function that rounds doubles, and keeps int and long. */
const rounding = (name: string, run: (value: number) => number): OperatorCompiler =>
  nullable(name, 1, 1, ([value]) => {
    noDecimal(name, value)
    requireNumber(name, value, 28765)
    return numberKind(value) === 'double' ? double(run(toNumber(value))) : value
  })

const atPlace = (name: '$round' | '$trunc'): OperatorCompiler =>
  nullable(name, 1, 2, ([value, place = 0]) => {
    noDecimal(name, value)
    requireNumber(name, value, 51081)
    const digits = requireNumber(name, place, 51082)
    if (!Number.isInteger(digits) || digits < -20 || digits > 100) {
      throw new MongoError(51083, `cannot apply ${name} with precision value ${digits} value must be in [-20, 100]`)
    }
    if (numberKind(value) !== 'double' && digits >= 0) return value
    const number = toNumber(value)
    if (!Number.isFinite(number)) return value
    const result = name === '$round' ? roundHalfEven(number, digits) : truncate(number, digits)
    return numberKind(value) === 'double'
      ? double(result)
      : numberKind(value) === 'long'
        ? Long.fromNumber(result)
        : result
  })

function shift(value: number, digits: number): number {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e')
  return Number(`${mantissa}e${Number(exponent) + digits}`)
}

/** Rounds the exact value of a double, ties to even, like MongoDB. `toFixed` is exact, but rounds ties up. */
function roundHalfEven(value: number, digits: number): number {
  if (digits < 0 || Math.abs(value) >= 1e21) return roundWhole(value, digits)
  return isTie(value, digits) ? roundWhole(value, digits) : Number(value.toFixed(digits))
}

function isTie(value: number, digits: number): boolean {
  const [, fraction = ''] = value.toFixed(Math.min(100, digits + 60)).split('.')
  return /^50*$/.test(fraction.slice(digits))
}

function roundWhole(value: number, digits: number): number {
  const scaled = shift(value, digits)
  const floor = Math.floor(scaled)
  const above = scaled - floor
  const rounded = above < 0.5 ? floor : above > 0.5 ? floor + 1 : floor % 2 === 0 ? floor : floor + 1
  return shift(rounded, -digits)
}

const truncate = (value: number, digits: number): number => shift(Math.trunc(shift(value, digits)), -digits)

/** Arithmetic with MongoDB's promotion of int, long and double. */
export const arithmetic: Readonly<Record<string, OperatorCompiler>> = {
  $add: fold('$add'),
  $multiply: fold('$multiply'),
  $subtract: nullable('$subtract', 2, 2, ([a, b]) => {
    if (a instanceof Date && b instanceof Date) return Long.fromNumber(a.getTime() - b.getTime())
    if (a instanceof Date && isNumeric(b)) return dateAt(a.getTime() - Math.round(toNumber(b)), '$subtract')
    if (!isNumeric(a) || !isNumeric(b)) {
      throw new MongoError(14, `can't $subtract ${typeName(b)} from ${typeName(a)}`)
    }
    return combine('subtract', '$subtract', a, b)
  }),
  $divide: nullable('$divide', 2, 2, ([a, b]) => {
    noDecimal('$divide', a)
    noDecimal('$divide', b)
    if (!isNumeric(a) || !isNumeric(b)) {
      throw new MongoError(14, `$divide only supports numeric types, not ${typeName(a)} and ${typeName(b)}`)
    }
    if (toNumber(b) === 0) throw new MongoError(2, "can't $divide by zero")
    return double(toNumber(a) / toNumber(b))
  }),
  $mod: nullable('$mod', 2, 2, ([a, b]) => {
    noDecimal('$mod', a)
    noDecimal('$mod', b)
    if (!isNumeric(a) || !isNumeric(b))
      throw new MongoError(14, `$mod only supports numeric types, not ${typeName(a)} and ${typeName(b)}`)
    if (toNumber(b) === 0) throw new MongoError(16610, "can't $mod by zero")
    const kinds = [numberKind(a), numberKind(b)]
    if (kinds.includes('double')) return double(toNumber(a) % toNumber(b))
    if (!kinds.includes('long')) return toNumber(a) % toNumber(b) || 0
    return Long.fromBigInt(BigInt(String(a)) % BigInt(String(b)))
  }),
  $abs: nullable('$abs', 1, 1, ([value]) => {
    noDecimal('$abs', value)
    requireNumber('$abs', value, 28765)
    if (value instanceof Long) return value.isNegative() ? value.negate() : value
    const size = Math.abs(toNumber(value))
    return numberKind(value) === 'double' ? double(size) : integerValue(size)
  }),
  $ceil: rounding('$ceil', Math.ceil),
  $floor: rounding('$floor', Math.floor),
  $round: atPlace('$round'),
  $trunc: atPlace('$trunc'),
  $exp: real('$exp', Math.exp),
  $ln: real('$ln', Math.log, 28766),
  $log10: real('$log10', Math.log10, 28761),
  $sqrt: nullable('$sqrt', 1, 1, ([value]) => {
    const number = requireNumber('$sqrt', value, 28765)
    noDecimal('$sqrt', value)
    if (number < 0) throw new MongoError(28714, "$sqrt's argument must be greater than or equal to 0")
    return double(Math.sqrt(number))
  }),
  $log: nullable('$log', 2, 2, ([value, base]) => {
    noDecimal('$log', value)
    noDecimal('$log', base)
    const [number, of] = [requireNumber('$log', value, 28756), requireNumber('$log', base, 28757)]
    positive('$log', number, 28758)
    if (of <= 0 || of === 1)
      throw new MongoError(28759, `$log's base must be a positive number not equal to 1, but is ${of}`)
    return double(Math.log(number) / Math.log(of))
  }),
  $pow: nullable('$pow', 2, 2, ([a, b]) => {
    noDecimal('$pow', a)
    noDecimal('$pow', b)
    const [base, exponent] = [requireNumber('$pow', a, 28762), requireNumber('$pow', b, 28763)]
    if (base === 0 && exponent < 0) throw new MongoError(28764, '$pow cannot take a base of 0 and a negative exponent')
    const kinds = [numberKind(a), numberKind(b)]
    const result = base ** exponent
    if (kinds.includes('double') || exponent < 0 || Math.abs(result) > 2 ** 63) return double(result)
    // Compute all digits of a long, which a double cannot hold.
    return wholeNumber(BigInt(String(a)) ** BigInt(exponent), kinds.includes('long')) ?? double(result)
  })
}
