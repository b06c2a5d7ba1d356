import { useLayoutEffect, useState, type ComponentType } from 'react'
import { asError } from '#web/lib/as-error.ts'
import { useServices } from '#web/lib/services.ts'
import { ScreenLoading } from '#web/app/shell/screen-loading.tsx'

/** A screen's component: `there` returns null until its module is loaded. After a failure `load` tries again. */
export interface LazyScreen {
  there(): ComponentType | null
  load(): Promise<ComponentType>
}

/** `there`: a component that is loaded already. */
export function createLazyScreen(
  load: () => Promise<{ default: ComponentType }>,
  there: ComponentType | null = null
): LazyScreen {
  let loaded = there
  let loading: Promise<ComponentType> | null = null
  async function loadOnce(): Promise<ComponentType> {
    try {
      const module = await load()
      loaded = module.default
      return loaded
    } finally {
      loading = null
    }
  }
  return { there: () => loaded, load: () => (loading ??= loadOnce()) }
}

/** A failed load is retried once, silently, like a failed data request. */
const quietRetryMs = 1000

/**
 * Shows a screen as soon as it is loaded. Not by Suspense: React keeps a fallback for at least 0.3 s once it is shown,
 * and the page would send its requests only after that.
 */
export function Loaded({ screen }: { screen: LazyScreen }) {
  const { clock } = useServices()
  const [Screen, setScreen] = useState<ComponentType | null>(() => screen.there())
  const [fault, setFault] = useState<Error | null>(null)
  useLayoutEffect(() => {
    if (Screen !== null) return
    let isGone = false
    let cancel = (): void => undefined
    const show = (loaded: ComponentType) => isGone || setScreen(() => loaded)
    const tell = (error: unknown) => isGone || setFault(asError(error))
    screen.load().then(show, () => {
      if (!isGone) cancel = clock.after(quietRetryMs, () => void screen.load().then(show, tell))
    })
    return () => {
      isGone = true
      cancel()
    }
  }, [clock, screen, Screen])
  // Passes the fault to the error boundary around it.
  if (fault !== null) throw fault
  return Screen === null ? <ScreenLoading /> : <Screen />
}
