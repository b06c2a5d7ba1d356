import { foldList } from './fold-list.ts'
import type { OperatorCompiler } from './scope.ts'
import { argumentList } from './operator-kit.ts'

const names = ['$sum', '$avg', '$min', '$max'] as const

/** Accumulators as expressions: over the values of one array, or of several arguments. */
export const folds: Readonly<Record<string, OperatorCompiler>> = Object.fromEntries(
  names.map((name): [string, OperatorCompiler] => [
    name,
    (argument, compile, options) => {
      const parts = argumentList(argument).map(compile)
      return (scope) => {
        const values = parts.map((part) => part(scope))
        const [only] = values
        return foldList(name, values.length === 1 && Array.isArray(only) ? only : values, options.text)
      }
    }
  ])
)
