import { minuteMs } from '@batti/kit/durations'
import { isRecord } from '@batti/kit/json'
import { Component, useEffect, useState, type ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { isOtherRelease, isServed } from '#web/lib/is-other-release.ts'
import { useServices } from '#web/lib/services.ts'

type Fault = 'crash' | 'not-loaded'
interface State {
  fault: Fault | null
  /** The file that failed to load, if the browser names it. */
  file: string
  /** How often the children were rendered again. */
  tries: number
}

/** The messages of Chrome, Firefox and Safari for a module that could not be fetched. */
const notLoaded = /dynamically imported module|module script failed/i

/** Automatic retries start after five seconds; the wait then doubles, up to a minute. */
const firstWaitMs = 5000
const longestWaitMs = minuteMs
const waitMs = (tries: number) => Math.min(firstWaitMs * 2 ** tries, longestWaitMs)

/**
 * The limit of automatic reloads: the missing file may be one that the served file needs, and not every browser names
 * it. The count is kept in the history entry, which survives a reload and needs no storage.
 */
const reloadsMax = 3
function mayReload({ history }: Window): boolean {
  const state: unknown = history.state
  const before = isRecord(state) ? state : {}
  const reloads = Number(before['reloads'] ?? 0)
  if (reloads < reloadsMax) history.replaceState({ ...before, reloads: reloads + 1 }, '')
  return reloads < reloadsMax
}

interface Props {
  children: ReactNode
  reload?: () => void
}

/** A class, because React has no other way to catch what a component throws while it renders. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { fault: null, file: '/', tries: 0 }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    if (!(error instanceof Error && notLoaded.test(error.message))) return { fault: 'crash' }
    return { fault: 'not-loaded', file: /\/assets\/[\w.-]+/.exec(error.message)?.[0] ?? '/' }
  }

  #isShown = false
  override componentDidMount() {
    this.#isShown = true
  }
  override componentWillUnmount() {
    this.#isShown = false
  }

  reload = () => (this.props.reload ?? (() => window.location.reload()))()

  // React, and some browsers, cache a failed module until the page is reloaded.
  retry = () => (this.state.tries > 0 ? this.reload() : this.tryAgain())

  waited = () => {
    const { tries, file } = this.state
    const isThere = tries > 0 ? isServed(window, file) : Promise.resolve(false)
    // A page that was opened meanwhile is not reloaded.
    void isThere.then((is) => this.#isShown && (is && mayReload(window) ? this.reload() : this.tryAgain()))
  }

  tryAgain = () => {
    this.setState(({ tries }) => ({ fault: null, tries: tries + 1 }))
  }

  override render() {
    const { fault } = this.state
    if (fault === null) return this.props.children
    if (fault === 'crash') return <Crashed />
    return <NotLoaded onRetry={this.retry} onWaited={this.waited} afterMs={waitMs(this.state.tries)} />
  }
}

function Crashed() {
  const t = useText()
  return <NeedsReload title={t('common.crashTitle')} body={t('common.crashBody')} />
}

function NeedsReload({ title, body }: { title: string; body: string }) {
  const t = useText()
  return (
    <Broken title={title} body={body}>
      <Button className="mt-4" onClick={() => window.location.reload()}>
        {t('common.reload')}
      </Button>
    </Broken>
  )
}

interface NotLoadedProps {
  onRetry: () => void
  /** Called after `afterMs` without a press. */
  onWaited: () => void
  afterMs: number
}

function NotLoaded({ onRetry, onWaited, afterMs }: NotLoadedProps) {
  const t = useText()
  const { clock } = useServices()
  const [isReleased, setReleased] = useState(false)
  useEffect(() => {
    let isShown = true
    void isOtherRelease(window).then((isOther) => isShown && setReleased(isOther))
    return () => void (isShown = false)
  }, [])
  useEffect(() => {
    window.addEventListener('online', onRetry)
    return () => window.removeEventListener('online', onRetry)
  }, [onRetry])
  useEffect(() => (isReleased ? undefined : clock.after(afterMs, onWaited)), [clock, isReleased, afterMs, onWaited])
  if (isReleased) return <NeedsReload title={t('common.newVersionTitle')} body={t('common.newVersionBody')} />
  return (
    <Broken title={t('common.failedTitle')} body={`${t('common.failedBody')} ${t('common.triesAgain')}`}>
      <Button className="mt-4" onClick={onRetry}>
        {t('common.tryAgain')}
      </Button>
    </Broken>
  )
}

function Broken({ title, body, children }: { title: string; body: string; children: ReactNode }) {
  return (
    <div role="alert" className="grid min-h-[60dvh] place-content-center justify-items-center gap-2 p-6 text-center">
      <h1 className="text-20 font-semibold">{title}</h1>
      <p className="max-w-md text-ink-2">{body}</p>
      {children}
    </div>
  )
}
