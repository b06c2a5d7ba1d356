import { useLayoutEffect, useState, type ComponentType } from 'react'
import { asError } from '#web/lib/as-error.ts'
import { useServices } from '#web/lib/services.ts'
import { ScreenLoading } from '#web/app/shell/screen-loading.tsx'

/** A screen's component: null until its module has been loaded. A load that failed is begun anew by the next. */
export interface LazyScreen {
  there(): ComponentType | null
  load(): Promise<ComponentType>
}

/** `there`: one that is loaded already. */
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

/** A request that was cut off is made again before a word is said of it, as those for data are. */
const quietRetryMs = 1000

/**
 * A screen as soon as it is loaded. Not by Suspense: React keeps to a fallback for 0.3 s once it has shown it, and a page
 * asks for what it shows only after that.
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
  // For the boundary around it, as any other fault of a page.
  if (fault !== null) throw fault
  return Screen === null ? <ScreenLoading /> : <Screen />
}
