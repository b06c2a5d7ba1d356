import { Check, X } from 'lucide-react'
import { SpinnerRing } from '#web/ui/spinner-ring.tsx'
import { UpdateBar } from '#web/ui/update-bar.tsx'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices } from '#web/lib/services.ts'
import type { DeviceLive } from '#web/lib/live/device-live.ts'
import { isUnderWay, type DeviceUpdate } from '#web/lib/live/device-update.ts'
import { shownUpdate } from '#web/lib/live/is-restarting.ts'
import { useServerNow } from '#web/lib/time/use-now.ts'

const steps = ['sent', 'download', 'verify', 'install', 'reboot', 'proving'] as const

/** The steps of a running update, and how it ended. */
export function UpdateOutcome({ update, live }: { update: DeviceUpdate; live?: DeviceLive | undefined }) {
  const t = useText()
  const { words } = useServices()
  const now = useServerNow()
  const { phase, version = '', code, error } = update
  if (!isUnderWay(update)) {
    const isDone = phase === 'done'
    const Icon = isDone ? Check : X
    return (
      <div role="status" className="flex items-start gap-3 py-3">
        <Icon aria-hidden="true" size={20} className={cn('mt-0.5 shrink-0', isDone ? 'text-ok' : 'text-danger')} />
        <div>
          <p className="font-semibold">{isDone ? t('update.done', { version }) : t(`phase.${phase}`)}</p>
          {code !== undefined && <p className="text-ink-2">{t(`updateError.${code}`)}</p>}
          {error !== undefined && error !== code && <p className="text-14 text-ink-3">{words(error)}</p>}
        </div>
      </div>
    )
  }
  const shown = live === undefined ? update : shownUpdate(update, live, now)
  const at = steps.findIndex((step) => step === shown.phase)
  return (
    <div className="grid gap-4 py-2">
      <UpdateBar update={shown} />
      <ol aria-label={t('update.progress')} className="grid gap-2 text-14">
        {steps.map((step, index) => (
          <li
            key={step}
            aria-current={index === at ? 'step' : undefined}
            className={cn(
              'flex items-center gap-2.5',
              index > at ? 'text-ink-3' : index === at ? 'font-medium' : 'text-ink-2'
            )}
          >
            {index < at ? (
              <Check aria-hidden="true" size={16} className="text-ok" />
            ) : index === at ? (
              <SpinnerRing className="size-4 text-accent" />
            ) : (
              <span aria-hidden="true" className="size-4 rounded-full border border-edge/60" />
            )}
            {t(`phase.${step}`)}
          </li>
        ))}
      </ol>
      <p className="text-14 text-ink-3">{t('update.closeHint')}</p>
    </div>
  )
}
