import { dateArithmetic } from './date-arithmetic.ts'
import { dateParts } from './date-parts.ts'
import { dateStrings } from './date-strings.ts'
import type { OperatorCompiler } from './scope.ts'

/** Date expressions. */
export const dates: Readonly<Record<string, OperatorCompiler>> = { ...dateParts, ...dateStrings, ...dateArithmetic }
