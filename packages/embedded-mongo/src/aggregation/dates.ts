import { DATE_ARITHMETIC } from './date-arithmetic.ts'
import { DATE_PARTS } from './date-parts.ts'
import { DATE_STRINGS } from './date-strings.ts'
import type { OperatorCompiler } from './scope.ts'

/** Date expressions. */
export const DATES: Readonly<Record<string, OperatorCompiler>> = { ...DATE_PARTS, ...DATE_STRINGS, ...DATE_ARITHMETIC }
