import { isLoopback } from '@batti/kit/address'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { BoardDrawing, exampleOutlets } from '#web/ui/board-drawing.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { FailedState } from '#web/ui/failed-state.tsx'
import { frameClass, titleClass } from '#web/ui/page.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { useClaimProgress } from '#web/features/pairing/api/claim-progress.ts'
import { useClaim } from '#web/features/pairing/api/create-claim.ts'
import { boardAddressOf } from '#web/features/pairing/board-address.ts'
import { BoardAddressForm } from '#web/features/pairing/components/board-address-form.tsx'
import { PairingPanel } from '#web/features/pairing/components/pairing-panel.tsx'
import { SetupForm } from '#web/features/pairing/components/setup-form.tsx'
import { useKeepSent, useSentClaim } from '#web/features/pairing/sent-claim.ts'
import { setupDefaults } from '#web/features/pairing/setup-fields.ts'
import { useTypedDraft } from '#web/features/pairing/use-typed-draft.ts'
import { errorMessage } from '#web/lib/api/api-error.ts'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'
import { useServices } from '#web/lib/services.ts'
import { browserZone } from '#web/lib/time/zone-name.ts'
import { PlaceBoard } from '#web/routes/parts/place-board.tsx'
import { usePageTitle } from '#web/lib/use-page-title.ts'

const QrCode = lazy(async () => ({
  default: (await import('#web/features/pairing/components/qr-code.tsx')).QrCode
}))
const panelClass = 'rounded-[28px] border border-line bg-card p-5 shadow-card sm:p-6'

/** /user/devices/new: Configure New Device. */
export function Screen() {
  const t = useText()
  usePageTitle(t('pairing.title'))
  const { serverTime } = useServices()
  const { search } = useLocation()
  const sent = useSentClaim()
  const claim = useClaim(sent?.claim)
  const pairing = useClaimProgress(claim.data?.id)
  const [sentAt, setSentAt] = useState(sent?.sentAt ?? null)
  const [isPlaced, setPlaced] = useState(false)
  useKeepSent(claim.data, isPlaced ? null : sentAt)
  const formId = useId()
  const { draft, keep } = useTypedDraft(formId)
  const steps = useRef<HTMLElement>(null)
  const done = useRef<HTMLDivElement>(null)
  // Who comes back from the board's Wi-Fi waits for its steps, not for the form.
  useEffect(() => {
    if (sent !== null) steps.current?.scrollIntoView({ block: 'nearest' })
  }, [sent])
  const board = boardAddressOf(search)
  const defaults = setupDefaults(window.location, browserZone())
  const isOnline = pairing?.step === 'online'

  const failure = claim.isError ? (errorMessage(claim.error, t('pairing.codeFailed')) ?? undefined) : undefined
  const place = () => {
    // The form with the focus disappears: the keyboard goes on from here, not from the top of the page.
    done.current?.focus()
    setPlaced(true)
  }
  const startAgain = () => {
    setSentAt(null)
    setPlaced(false)
    void claim.refetch().then(({ error }) => {
      const message = errorMessage(error, t('pairing.codeFailed'))
      if (error !== null && message !== null) notify.error(message, 'code')
    })
  }
  return (
    <div className={cn(frameClass, 'grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_26rem] lg:items-start')}>
      <div className="grid grid-cols-1 gap-5">
        <header className="grid grid-cols-1 gap-2">
          <h1 className={cn(titleClass, 'max-sm:mr-13')}>{t('pairing.title')}</h1>
          <p className="max-w-2xl text-ink-2">{t('pairing.intro')}</p>
        </header>
        {/* Beside the form, which keeps what is typed while a code is made. */}
        {claim.isError && claim.data === undefined && (
          <section className={panelClass}>
            <FailedState
              isPart
              title={t('pairing.codeFailed')}
              body={failure}
              isRetrying={claim.isFetching}
              onRetry={() => void claim.refetch()}
            />
          </section>
        )}
        <section className={panelClass}>
          <SetupForm
            id={formId}
            draft={draft}
            board={board}
            defaults={defaults}
            userId={claim.data?.userId}
            isSent={sentAt !== null}
            onSent={() => {
              setSentAt(serverTime.now())
              // On a phone the steps are below the form.
              steps.current?.scrollIntoView({ behavior: 'smooth', block: 'nearest' })
            }}
          />
          {window.location.protocol === 'https:' && <p className="mt-3 text-14 text-ink-3">{t('pairing.insecure')}</p>}
        </section>
        <section className={panelClass}>
          <BoardAddressForm board={board} onLeave={keep} />
        </section>
      </div>
      <aside aria-label={t('pairing.steps')} className="grid grid-cols-1 gap-5 lg:sticky lg:top-24 lg:mt-16">
        <section ref={steps} className={panelClass}>
          <BoardDrawing className="mx-auto mb-4 max-w-64" outlets={exampleOutlets(isOnline)} />
          <PairingPanel
            claim={claim.data}
            pairing={pairing}
            sentAt={sentAt}
            serverHost={defaults.serverUrl}
            onNewCode={startAgain}
            done={
              <div ref={done} tabIndex={-1} className="grid gap-3 outline-none">
                <output>
                  <span className="block font-semibold">{t('pairing.done')}</span>
                  {!isPlaced && <span className="text-14 text-ink-2">{t('pairing.doneBody')}</span>}
                </output>
                {!isPlaced && pairing?.deviceId !== undefined && (
                  <PlaceBoard key={pairing.deviceId} deviceId={pairing.deviceId} onPlaced={place} />
                )}
                <LinkButton to="/user/devices">{t('pairing.toDevices')}</LinkButton>
                <button type="button" className={buttonClass({ variant: 'quiet' })} onClick={startAgain}>
                  {t('pairing.another')}
                </button>
              </div>
            }
          />
        </section>
        {!isLoopback(window.location.hostname) && <OnPhone />}
      </aside>
    </div>
  )
}

/** A code that opens this page on a phone. */
function OnPhone() {
  const t = useText()
  return (
    <section className={`${panelClass} hidden items-center gap-4 lg:flex`}>
      <Suspense fallback={<div className="size-36" />}>
        <QrCode text={`${window.location.origin}/user/devices/new`} label={t('pairing.phone')} />
      </Suspense>
      <div>
        <h2 className="font-semibold">{t('pairing.phone')}</h2>
        <p className="mt-1 text-14 text-ink-2">{t('pairing.phoneBody')}</p>
      </div>
    </section>
  )
}
