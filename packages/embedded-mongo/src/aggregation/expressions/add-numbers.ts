import { Decimal128 } from 'bson'
import { arithmetic, double, toNumber, type Arithmetic } from '../../bson/numbers.ts'
import { unsupported } from '../../errors.ts'

export function noDecimal(name: string, value: unknown): void {
  if (value instanceof Decimal128) throw unsupported(`${name} of Decimal128`)
}

/** Adds numbers. In expressions a long that overflows becomes a double; in updates it is an error. */
export const addNumbers = (a: unknown, b: unknown): unknown => combine('add', '$add', a, b)

export function combine(op: Arithmetic, name: string, a: unknown, b: unknown): unknown {
  noDecimal(name, a)
  noDecimal(name, b)
  const [x, y] = [toNumber(a), toNumber(b)]
  return arithmetic(op, a, b) ?? double(op === 'add' ? x + y : op === 'subtract' ? x - y : x * y)
}
