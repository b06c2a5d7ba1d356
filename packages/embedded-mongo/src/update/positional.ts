import { isDocument, type Document } from '../bson/document.ts'
import { badValue } from '../errors.ts'
import type { Filter, Leaf } from '../query/filter.ts'
import { compileFilter, elementDocument, type MatcherOptions } from '../query/matcher.ts'
import { plainValue } from '../query/path.ts'

/**
 * Returns the index of the array element that the query matched, for `$` in an update or a projection. As in MongoDB, the
 * last predicate on that array decides.
 */
export function findPositionalIndex(query: Filter, path: string, document: Document, options: MatcherOptions): number {
  const array = plainValue(document, path)
  if (!Array.isArray(array)) return -1
  let found = -1
  for (const { path: asked, leaf } of matchingLeaves(query, document, options)) {
    const test = elementTest(path, asked, leaf, options)
    const index = test ? array.findIndex(test) : -1
    if (index !== -1) found = index
  }
  return found
}

export function positionalIndex(query: Filter, path: string, document: Document, options: MatcherOptions): number {
  const index = findPositionalIndex(query, path, document, options)
  if (index === -1) throw badValue('The positional operator did not find the match needed from the query.')
  return index
}

function matchingLeaves(query: Filter, document: Document, options: MatcherOptions): { path: string; leaf: Leaf }[] {
  switch (query.kind) {
    case 'field':
      return [query]
    case 'and':
      return query.parts.flatMap((part) => matchingLeaves(part, document, options))
    case 'or': {
      const branch = query.parts.find((part) => compileFilter(part, options)(document))
      return branch ? matchingLeaves(branch, document, options) : []
    }
    default:
      return []
  }
}

function elementTest(
  arrayPath: string,
  asked: string,
  leaf: Leaf,
  options: MatcherOptions
): ((element: unknown) => boolean) | null {
  // A negation matches no element, and `$exists` is about the whole array.
  if (leaf.op === 'not' || (leaf.op === 'exists' && (!leaf.value || asked === arrayPath))) return null
  if (asked === arrayPath) {
    if (leaf.op === 'elemMatch') {
      const test = compileFilter(leaf.filter, options)
      return (element) => {
        const document = elementDocument(element)
        return document !== null && test(document)
      }
    }
    const leaves: Leaf[] = leaf.op === 'elemMatchValue' ? leaf.leaves : leaf.op === 'all' ? leaf.each.slice(-1) : [leaf]
    const tests = leaves.map((part) => compileFilter({ kind: 'field', path: 'e', leaf: part }, options))
    return (element) => tests.every((test) => test({ e: element }))
  }
  if (!asked.startsWith(`${arrayPath}.`)) return null
  const rest = asked.slice(arrayPath.length + 1)
  const [first, ...more] = rest.split('.')
  if (first !== undefined && /^\d+$/.test(first) && more.length === 0) return null
  const test = compileFilter({ kind: 'field', path: rest, leaf }, options)
  return (element) => isDocument(element) && test(element)
}
