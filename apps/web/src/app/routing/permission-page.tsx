import { lazy, Suspense } from 'react'
import type { Screen } from './screen.ts'

// Few ever read it: it is not in the first page.
const NotAllowed = lazy(async () => ({ default: (await import('#web/routes/parts/not-allowed.tsx')).NotAllowed }))

/** In place of a page that a monitor's permissions do not lead to. */
export function PermissionPage({ missing }: { missing: NonNullable<Screen['permission']> }) {
  return (
    <Suspense>
      <NotAllowed missing={missing} />
    </Suspense>
  )
}
