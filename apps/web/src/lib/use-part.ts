import {
  createElement,
  useEffect,
  useRef,
  useState,
  type Attributes,
  type ComponentType,
  type ReactElement
} from 'react'
import { useText } from '#web/lib/i18n/use-text.ts'
import { isOtherRelease } from '#web/lib/is-other-release.ts'
import { notify } from '#web/lib/notify.ts'
import { useServices } from '#web/lib/services.ts'

/** Time to read why the page is going to reload. */
const noticeMs = 2000

/** A rarely opened part of a page, whose code is loaded when it is opened. */
export interface Part<Props extends object> {
  /** Null until it has been loaded once. */
  component: ComponentType<Props> | null
  load: () => Promise<ComponentType<Props>>
}

export function createPart<Props extends object>(load: () => Promise<ComponentType<Props>>): Part<Props> {
  const part: Part<Props> = { component: null, load: async () => (part.component = await load()) }
  return part
}

/**
 * Returns a function that renders the part once it is wanted and loaded. If the load fails, a toast says so and
 * `onMissing` is called, so that the next press tries again. React.lazy would keep the failure until a reload, which is
 * done only when the server has another release.
 */
export function usePart<Props extends object>(
  part: Part<Props>,
  isWanted: boolean,
  onMissing: () => void
): ((props: Props & Attributes) => ReactElement) | null {
  const t = useText()
  const { clock } = useServices()
  const [component, setComponent] = useState(() => part.component)
  const latestOnMissing = useRef(onMissing)
  useEffect(() => {
    latestOnMissing.current = onMissing
  })
  const isAwaited = isWanted && component === null
  useEffect(() => {
    if (!isAwaited) return
    let isStill = true
    let cancel = (): void => undefined
    const there = (loaded: ComponentType<Props>) => isStill && setComponent(() => loaded)
    const missing = async () => {
      const isReleased = await isOtherRelease(window)
      if (!isStill) return
      if (isReleased) {
        notify.info(t('common.newVersionTitle'))
        cancel = clock.after(noticeMs, () => window.location.reload())
        return
      }
      notify.error(t('common.failedBody'))
      latestOnMissing.current()
    }
    void part.load().then(there, missing)
    return () => {
      isStill = false
      cancel()
    }
  }, [clock, isAwaited, part, t])
  return isWanted && component !== null ? (props) => createElement(component, props) : null
}
