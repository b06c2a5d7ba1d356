import type { RolloutTarget } from '@batti/contracts'
import { Link } from 'react-router-dom'
import type { Column } from '#web/ui/data-table/columns.ts'
import { T } from '#web/ui/text.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices } from '#web/lib/services.ts'
import { cn } from '#web/lib/cn.ts'
import { useIntl } from 'react-intl'

export interface TargetRow extends RolloutTarget {
  _id: string
  /** The owner's name of the board. */
  deviceName?: string | undefined
}

/** The columns of a rollout's boards; `devicesPath` is the path prefix of a board's page. */
export const targetColumns = (devicesPath: string): readonly Column<TargetRow>[] => [
  {
    id: 'deviceName',
    label: 'rollouts.board',
    value: ({ deviceName, deviceMac }) => deviceName || deviceMac,
    cell: ({ deviceId, deviceName, deviceMac }) => (
      <Link to={`${devicesPath}/${deviceId}`} className="relative z-10 underline-offset-4 hover:underline">
        {deviceName || deviceMac}
      </Link>
    ),
    width: 220
  },
  { id: 'deviceMac', label: 'staffDevices.mac', width: 150, isCode: true, card: { line: 4 } },
  {
    id: 'phase',
    label: 'rollouts.phase',
    value: ({ phase }, t) => t(`phase.${phase}`),
    cell: (target) => <Phase target={target} />,
    width: 150,
    card: { line: 2 }
  },
  {
    id: 'error',
    label: 'rollouts.reason',
    value: ({ error }, t) => error && t(`updateError.${error.code}`),
    cell: ({ error }) => error && <Reason error={error} />,
    width: 320,
    card: { line: 3 }
  },
  {
    id: 'changedAt',
    label: 'rollouts.changed',
    isTime: true,
    width: 130,
    card: { line: 4, isEnd: true }
  }
]

function Phase({ target: { phase, percent } }: { target: TargetRow }) {
  const intl = useIntl()
  const isBad = phase === 'failed' || phase === 'rolled-back'
  return (
    <span className={cn(isBad && 'text-danger', phase === 'done' && 'text-ok')}>
      <T id={`phase.${phase}`} />
      {phase === 'download' && ` ${intl.formatNumber(percent / 100, { style: 'percent' })}`}
    </span>
  )
}

function Reason({ error: { code, detail } }: { error: NonNullable<TargetRow['error']> }) {
  const t = useText()
  const { words } = useServices()
  const reason = t(`updateError.${code}`)
  return <span title={detail === null ? reason : `${reason}: ${words(detail)}`}>{reason}</span>
}
