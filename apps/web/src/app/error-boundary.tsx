import { Component, type ReactNode } from 'react'
import { Button } from '../components/ui/button.tsx'
import { useText } from '../lib/i18n/use-text.ts'

/** A class, because React has no other way to catch what a component throws while it renders. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    return this.state.hasFailed ? <Crash /> : this.props.children
  }
}

function Crash() {
  const t = useText()
  return (
    <main role="alert" className="grid min-h-[60dvh] place-content-center justify-items-center gap-2 p-6 text-center">
      <h1 className="text-20 font-semibold">{t('common.crashTitle')}</h1>
      <p className="max-w-md text-ink-2">{t('common.crashBody')}</p>
      <Button className="mt-4" onClick={() => window.location.reload()}>
        {t('common.reload')}
      </Button>
    </main>
  )
}
