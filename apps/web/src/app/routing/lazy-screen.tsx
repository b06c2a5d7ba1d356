import { lazy, Suspense, useState, type ComponentType } from 'react'
import { ScreenLoading } from '#web/app/shell/screen-loading.tsx'

/** The component to show now: a lazy one. React keeps a failed load for ever, so after one there is a new component. */
export type LazyScreen = () => ComponentType

/**
 * A screen whose module is loaded when it is first shown, and again at the next showing where that failed. One that is
 * `there` already is shown at once: React would show the fallback first, and keep to it for a while.
 */
export function createLazyScreen(load: () => Promise<{ default: ComponentType }>, there?: ComponentType): LazyScreen {
  const fresh = (): ComponentType =>
    lazy(() =>
      load().catch((error: unknown) => {
        current = fresh()
        throw error
      })
    )
  let current = there ?? fresh()
  return () => current
}

/** Keeps to one load while it stands: it is outside the Suspense, within which React forgets what a first render chose. */
export function Loaded({ screenOf }: { screenOf: LazyScreen }) {
  const [Screen] = useState(screenOf)
  return (
    <Suspense fallback={<ScreenLoading />}>
      <Screen />
    </Suspense>
  )
}
