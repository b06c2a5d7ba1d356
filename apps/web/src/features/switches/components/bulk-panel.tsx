import type { DeviceRecord } from '@batti/contracts'
import { Check, CircleAlert, RotateCw, WifiOff, X } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { SpinnerRing } from '#web/ui/spinner-ring.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useFocused } from '#web/features/switches/use-focused.ts'
import { hasFailed, type BulkResult } from '#web/features/switches/bulk-result.ts'
import { useBulkRun, type BulkRun } from '#web/features/switches/use-bulk-run.ts'

export interface BulkPanelProps {
  devices: readonly DeviceRecord[]
  /** Returns the name of an outlet. */
  nameOf: (device: DeviceRecord, index: number) => string
}

/** All ON and All OFF for a board or a room, and the result of each switch. */
export function BulkPanel({ devices, nameOf }: BulkPanelProps) {
  const t = useText()
  const run = useBulkRun(devices)
  const first = useRef<HTMLButtonElement>(null)
  function hide() {
    run.dismiss()
    first.current?.focus({ preventScroll: true })
  }
  return (
    <div className="mb-2 grid gap-2.5">
      <div className="grid grid-cols-2 gap-2.5">
        <Button ref={first} isLocked={!run.canStart} onClick={() => run.start(true)}>
          {t('switch.allOn')}
        </Button>
        <Button variant="quiet" isLocked={!run.canStart} onClick={() => run.start(false)}>
          {t('switch.allOff')}
        </Button>
      </div>
      {run.wanted !== null && <BulkResults run={run} wanted={run.wanted} nameOf={nameOf} onHide={hide} />}
    </div>
  )
}

interface ResultsProps extends Pick<BulkPanelProps, 'nameOf'> {
  run: BulkRun
  wanted: boolean
  onHide: () => void
}

function BulkResults({ run, wanted, nameOf, onHide }: ResultsProps) {
  const t = useText()
  const retry = useFocused()
  const { outlets } = run
  const done = outlets.filter(({ result }) => result === 'done').length
  const isWaiting = outlets.some(({ result }) => result === 'waiting')
  const failures = outlets.filter(({ result }) => hasFailed(result))
  const headline = isWaiting
    ? t('bulk.waiting', { done, total: outlets.length })
    : failures.length === 0
      ? t(wanted ? 'bulk.allOn' : 'bulk.allOff', { total: outlets.length })
      : t('bulk.partly', { done, total: outlets.length })
  return (
    <section aria-label={t('bulk.title')} className="rounded-2xl border border-line bg-well/50 p-1.5 pl-3.5">
      <div className="flex items-center gap-2">
        <output className="min-w-0 flex-1 text-14 font-medium">{headline}</output>
        <IconButton label={t('bulk.dismiss')} icon={<X size={18} />} onClick={onHide} />
      </div>
      <ul className="grid max-h-44 gap-1.5 overflow-y-auto pb-2 text-14 sm:grid-cols-2">
        {outlets.map(({ device, index, result }) => (
          <li key={`${device._id} ${index}`} className="flex min-w-0 items-center gap-2">
            <ResultIcon result={result} />
            <span className="truncate">{nameOf(device, index)}</span>
            <span className="shrink-0 text-12 text-ink-3">{t(`bulk.result.${result}`)}</span>
          </li>
        ))}
      </ul>
      {((failures.length > 0 && !isWaiting) || retry.isFocused) && (
        <Button
          variant="quiet"
          className="mb-1.5"
          isLocked={isWaiting || failures.length === 0}
          onClick={run.retryFailed}
          {...retry.watch}
        >
          <RotateCw aria-hidden="true" size={16} />
          {t('bulk.retry')}
        </Button>
      )}
    </section>
  )
}

function ResultIcon({ result }: { result: BulkResult }) {
  if (result === 'waiting') return <SpinnerRing className="size-4 shrink-0 text-ink-3" />
  const [Icon, tone] =
    result === 'done' ? [Check, 'text-ok'] : result === 'offline' ? [WifiOff, 'text-ink-3'] : [CircleAlert, 'text-warn']
  return <Icon aria-hidden="true" size={16} className={`shrink-0 ${tone}`} />
}
