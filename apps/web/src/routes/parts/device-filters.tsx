import { FilterSheet } from '#web/features/staff-devices/components/filter-sheet.tsx'
import { useModels } from '#web/features/staff-devices/use-models.ts'
import { FilterChip } from '#web/ui/filter-chip.tsx'
import { RemovableChip } from '#web/ui/removable-chip.tsx'
import type { useStaffDeviceList } from '#web/features/staff-devices/device-list.tsx'
import type { FleetCounts } from '#web/lib/records/fleet-counts.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { filterProps } from '#web/lib/lists/filter-props.ts'
import { narrowScreen, useMedia } from '#web/lib/use-media.ts'
import { OwnerChip } from './owner-chip.tsx'

export interface DeviceFiltersProps {
  list: ReturnType<typeof useStaffDeviceList>
  countOf: (value: keyof FleetCounts) => number | undefined
}

/** Further filters of the list: model, version, owner, room, label; on a phone one sheet with all filters. */
export function DeviceFilters({ list, countOf }: DeviceFiltersProps) {
  const t = useText()
  const models = useModels()
  const isNarrow = useMedia(narrowScreen)
  const label = list.filters['label']
  return (
    <>
      {isNarrow ? (
        <FilterSheet list={list} models={models} countOf={countOf} />
      ) : (
        <>
          <FilterChip
            label={t('staffDevices.modelShort')}
            {...filterProps(list, 'hwModel')}
            choices={[{ value: '', label: t('staffDevices.anyModel') }, ...models.models]}
          />
          <FilterChip
            label={t('staffDevices.version')}
            {...filterProps(list, 'osVersion')}
            choices={[{ value: '', label: t('staffDevices.anyVersion') }, ...models.versions]}
          />
        </>
      )}
      <OwnerChip list={list} />
      {list.filters['roomId'] !== undefined && (
        <RemovableChip
          label={list.rows[0]?.setRoom?.roomName ?? t('staffDevices.room')}
          onRemove={() => list.setFilter('roomId', '')}
        />
      )}
      {label !== undefined && <RemovableChip label={label} onRemove={() => list.setFilter('label', '')} />}
    </>
  )
}
