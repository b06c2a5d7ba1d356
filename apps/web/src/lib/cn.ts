import { mergeClasses } from './class-groups.ts'

/** Joins class names; a later utility wins over an earlier one of the same kind. */
export function cn(...classes: (string | false | null | undefined)[]): string {
  return mergeClasses(classes)
}
