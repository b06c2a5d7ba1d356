import type { DeviceRecord } from '@batti/contracts'
import { CircleArrowUp, DoorOpen, Globe, Palette, Server } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import {
  filterOf,
  oneOwnerOf,
  rolloutQuery,
  type BulkKind,
  type BulkTarget
} from '#web/features/staff-devices/bulk-change.ts'
import { BulkDialog } from '#web/features/staff-devices/components/bulk-dialog.tsx'
import type { BulkAction, Selected } from '#web/ui/data-table/selection-bar.tsx'
import type { List } from '#web/lib/lists/use-list.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { usePathOf } from './use-path-of.ts'

const kinds: readonly { kind: BulkKind; icon: ReactNode }[] = [
  { kind: 'room', icon: <DoorOpen size={16} /> },
  { kind: 'colour', icon: <Palette size={16} /> },
  { kind: 'zone', icon: <Globe size={16} /> },
  { kind: 'server', icon: <Server size={16} /> }
]

interface Chosen {
  kind: BulkKind
  target: BulkTarget
  ownerId: string | null
  /** The server has said that one of the boards no longer exists. */
  hasGone: boolean
}

/** Returns the bulk actions on the selected boards, or on all that match the filter, and the dialog for them. */
export function useBulk(list: Pick<List<DeviceRecord>, 'query' | 'filters' | 'rows'>) {
  const t = useText()
  const navigate = useNavigate()
  const { pathOf } = usePathOf()
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const targetOf = ({ isAll, ids }: Selected<DeviceRecord>): BulkTarget =>
    isAll ? { filter: filterOf(list.query) } : { deviceIds: [...ids] }
  const run = (kind: BulkKind) => (selected: Selected<DeviceRecord>) =>
    setChosen({
      kind,
      target: targetOf(selected),
      ownerId: selected.isAll ? (list.filters['userId'] ?? null) : oneOwnerOf(selected.rows),
      hasGone: false
    })
  // A board may also leave the list because it no longer matches its filter: it is still meant.
  const withoutGone = ({ target, hasGone }: Chosen): BulkTarget =>
    hasGone && 'deviceIds' in target
      ? { deviceIds: target.deviceIds.filter((id) => list.rows.some(({ _id }) => _id === id)) }
      : target
  const actions: BulkAction<DeviceRecord>[] = [
    ...kinds.map(({ kind, icon }) => ({
      id: kind,
      label: t(`boardsBulk.${kind}`),
      icon,
      takesAll: true,
      run: run(kind)
    })),
    {
      id: 'firmware',
      label: t('boardsBulk.firmware'),
      icon: <CircleArrowUp size={16} />,
      isMain: true,
      takesAll: true,
      run: (selected) => void navigate(`/admin/rollouts/new?${rolloutQuery(targetOf(selected))}`)
    }
  ]
  return {
    actions,
    dialog: chosen !== null && (
      <BulkDialog
        kind={chosen.kind}
        ownerId={chosen.ownerId}
        target={withoutGone(chosen)}
        onGone={() => setChosen((now) => now && { ...now, hasGone: true })}
        pathOf={(id) => pathOf(`rollouts/${id}`)}
        onClose={() => setChosen(null)}
      />
    )
  }
}
