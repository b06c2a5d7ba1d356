import { Component, type ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'

type Fault = 'crash' | 'not-loaded'

/** How Chrome, Firefox and Safari say that a page's code could not be fetched. */
const notLoaded = /dynamically imported module|module script failed/i

/** A class, because React has no other way to catch what a component throws while it renders. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { fault: Fault | null }> {
  override state: { fault: Fault | null } = { fault: null }

  static getDerivedStateFromError(error: unknown): { fault: Fault } {
    return { fault: error instanceof Error && notLoaded.test(error.message) ? 'not-loaded' : 'crash' }
  }

  override render() {
    const { fault } = this.state
    return fault === null ? this.props.children : <Broken fault={fault} />
  }
}

function Broken({ fault }: { fault: Fault }) {
  const t = useText()
  return (
    <div role="alert" className="grid min-h-[60dvh] place-content-center justify-items-center gap-2 p-6 text-center">
      <h1 className="text-20 font-semibold">{t(fault === 'crash' ? 'common.crashTitle' : 'common.failedTitle')}</h1>
      <p className="max-w-md text-ink-2">{t(fault === 'crash' ? 'common.crashBody' : 'common.failedBody')}</p>
      <Button className="mt-4" onClick={() => window.location.reload()}>
        {t('common.reload')}
      </Button>
    </div>
  )
}
