import { lazy, Suspense } from 'react'
import type { Screen } from './screen.ts'

// Rarely shown, so it is not in the first page's code.
const NotAllowed = lazy(async () => ({ default: (await import('#web/routes/parts/not-allowed.tsx')).NotAllowed }))

/** Replaces a page that a monitor's permissions do not allow. */
export function PermissionPage({ missing }: { missing: NonNullable<Screen['permission']> }) {
  return (
    <Suspense>
      <NotAllowed missing={missing} />
    </Suspense>
  )
}
