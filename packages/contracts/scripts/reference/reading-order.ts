import { allRoutes, type TaggedRoute } from '../../src/routes.ts'

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** The tags in the order of `allRoutes`. */
export const routeTags = (): string[] => [...new Set(allRoutes.map(({ tag }) => tag))]

/** Returns every call ordered by tag, path and method. */
export function routesInReadingOrder(): TaggedRoute[] {
  const tags = routeTags()
  const rank = ({ tag, route }: TaggedRoute): string =>
    [String(tags.indexOf(tag)).padStart(3, '0'), route.path, methods.indexOf(route.method)].join(' ')
  return allRoutes.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1))
}
