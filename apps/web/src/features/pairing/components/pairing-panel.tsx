import type { DeviceClaim } from '@batti/contracts'
import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices } from '#web/lib/services.ts'
import { useServerNow } from '#web/lib/time/use-now.ts'
import { stepStates, type Pairing } from '#web/features/pairing/pairing-steps.ts'
import { LikelyCauses } from './likely-causes.tsx'
import { PairingProgress } from './pairing-progress.tsx'
import { TimeLeft } from './time-left.tsx'

const slowAfterMs = 30_000

export interface PairingPanelProps {
  claim: DeviceClaim | undefined
  pairing: Pairing | undefined
  /** When the form was sent, by the server's clock; null before that. */
  sentAt: number | null
  serverHost: string
  onNewCode: () => void
  /** Shown once the board is online. */
  done: ReactNode
}

/** The live steps; after a failure what happened, the likely causes, and a way to start again. */
export function PairingPanel({ claim, pairing, sentAt, serverHost, onNewCode, done }: PairingPanelProps) {
  const t = useText()
  const { words } = useServices()
  const now = useServerNow(1000)
  const isExpired = claim !== undefined && pairing?.step !== 'online' && Date.parse(claim.expiresAt) <= now
  const hasFailed =
    pairing?.step === 'failed' || pairing?.step === 'expired' || (isExpired && pairing?.furthest !== 'claimed')
  const hasReached = pairing !== undefined && pairing.furthest !== 'waiting'
  const isSlow = sentAt !== null && now - sentAt > slowAfterMs && pairing?.step !== 'online'
  const states = stepStates({
    hasCode: claim !== undefined,
    isSent: sentAt !== null,
    pairing: hasFailed && pairing?.step === 'waiting' ? { ...pairing, step: 'expired' } : pairing
  })
  const detail = pairing?.detail ?? null
  const failure = detail === null ? t(pairing?.step === 'failed' ? 'pairing.failed' : 'pairing.expired') : words(detail)
  return (
    <div className="grid grid-cols-1 gap-5">
      <PairingProgress
        states={states}
        notes={{
          ...(claim !== undefined &&
            !hasReached && {
              code: (
                <span className="font-mono text-12">
                  {claim.code} · <TimeLeft until={claim.expiresAt} />
                </span>
              )
            }),
          ...(states.reached === 'now' && {
            reached: (
              <>
                {t('pairing.usually')}. {t('pairing.comeBack')}
              </>
            )
          })
        }}
      />
      {hasFailed && (
        <div role="alert" className="grid gap-3 rounded-2xl bg-danger-soft p-4">
          <p className="font-semibold">{failure}</p>
          <LikelyCauses hasReached={hasReached} serverHost={serverHost} />
          <Button onClick={onNewCode} className="justify-self-start">
            {t('pairing.newCode')}
          </Button>
        </div>
      )}
      {!hasFailed && isSlow && (
        <details open className="rounded-2xl border border-line bg-card p-4">
          <summary className="cursor-pointer font-semibold">{t('pairing.slow')}</summary>
          <div className="mt-2">
            <LikelyCauses hasReached={hasReached} serverHost={serverHost} />
          </div>
        </details>
      )}
      {pairing?.step === 'online' && done}
    </div>
  )
}
