import type { UpdatePhase } from '@batti/contracts'
import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

/** The progress, 0 to 1, at which each phase begins; the download covers the range up to the next phase. */
const begins: Partial<Record<UpdatePhase, number>> = {
  waiting: 0,
  sent: 0.02,
  download: 0.05,
  verify: 0.7,
  install: 0.78,
  reboot: 0.86,
  proving: 0.94,
  done: 1
}

/** Returns the progress of the whole update, 0 to 1. A phase not listed is at the end. */
function updateShare({ phase, percent }: { phase: UpdatePhase; percent: number }): number {
  const begin = begins[phase] ?? 1
  return phase === 'download' ? begin + ((begins.verify ?? begin) - begin) * (percent / 100) : begin
}

export interface UpdateBarProps {
  update: { phase: UpdatePhase; percent: number; version?: string | undefined }
  className?: string
  /** Below the bar. */
  children?: ReactNode
}

/** A board's firmware update: the version, the phase and the progress. */
export function UpdateBar({ update, className, children }: UpdateBarProps) {
  const t = useText()
  const intl = useIntl()
  const { phase, percent, version } = update
  const share = updateShare(update)
  const step =
    phase === 'download'
      ? `${t('phase.download')} ${intl.formatNumber(percent / 100, { style: 'percent' })}`
      : t(`phase.${phase}`)
  const words =
    version === undefined ? `${t('devices.updating')}: ${step}` : t('devices.updatingTo', { version, phase: step })
  return (
    <div className={cn('grid gap-1.5 text-14', className)}>
      <p className="font-medium">{words}</p>
      <div
        role="progressbar"
        aria-label={words}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        className="h-1.5 overflow-hidden rounded-full bg-well"
      >
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-240"
          style={{ width: `${share * 100}%` }}
        />
      </div>
      {children}
    </div>
  )
}
