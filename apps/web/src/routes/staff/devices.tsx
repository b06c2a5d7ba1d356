import type { DeviceRecord } from '@batti/contracts'
import { CircleArrowUp, Copy, ToggleRight } from 'lucide-react'
import { useNavigate } from 'react-router-dom'
import { UpdateDialog } from '#web/features/firmware-update/components/update-dialog.tsx'
import { AddDeviceDialog } from '#web/features/staff-devices/components/add-device-dialog.tsx'
import { deviceChips, useChipCounts } from '#web/features/staff-devices/health-chips.ts'
import { deviceColumns, useStaffDeviceList } from '#web/features/staff-devices/device-list.tsx'
import { DeleteBoardDialog, EditBoardDialog } from '#web/routes/parts/board-changes.tsx'
import { OwnerField } from '#web/routes/parts/owner-field.tsx'
import { ToggleDialog } from '#web/routes/parts/board-dialog.tsx'
import { AddButton } from '#web/ui/add-button.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { MenuItem } from '#web/ui/overlays/menu.tsx'
import { RowMenu } from '#web/ui/overlays/row-menu.tsx'
import { DeviceFilters } from '#web/routes/parts/device-filters.tsx'
import { useBulk } from '#web/routes/parts/use-bulk.tsx'
import { copyAndTell } from '#web/lib/copy-text.ts'
import { useText, type Text } from '#web/lib/i18n/use-text.ts'
import { deviceTitle } from '#web/lib/records/device-title.ts'
import { useUser } from '#web/lib/services.ts'
import { mayControlSwitches } from '#web/lib/session/session-user.ts'
import { useOpened } from '#web/lib/use-opened.ts'

/** Returns the text of an empty list with a chip chosen: "No device is weak". */
function emptyOfChip(filters: Readonly<Record<string, string>>, t: Text): string | undefined {
  const chosen = deviceChips.find(({ filter, value }) => value !== '' && filters[filter] === value)
  return chosen && t('staffDevices.noneOf', { state: t(chosen.label).toLocaleLowerCase() })
}

/** /admin/devices and /monitor/devices; the dashboard's tile links to `?status=online`. */
export function Screen() {
  const t = useText()
  const user = useUser()
  const navigate = useNavigate()
  const isAdmin = user?.role === 'admin'
  const mayToggle = user !== null && mayControlSwitches(user)
  const list = useStaffDeviceList()
  const { status: _status, health: _health, sort: _sort, ...others } = list.query
  const countOf = useChipCounts(others)
  const bulk = useBulk(list)
  const dialogs = useOpened<DeviceRecord, 'edit' | 'delete' | 'toggleSwitch' | 'updateFirmware'>()
  const view = ({ _id }: DeviceRecord) => void navigate(`/${user?.role ?? 'admin'}/devices/${_id}`)
  const edited = dialogs.in('edit')
  const deleted = dialogs.in('delete')
  const toggled = dialogs.in('toggleSwitch')
  const updated = dialogs.in('updateFirmware')
  const copy = (devices: readonly DeviceRecord[]) => {
    const text = devices.map(({ deviceMac }) => deviceMac).join('\n')
    void copyAndTell(text, { copied: t('staffDevices.copied'), failed: t('staffDevices.copyFailed') })
  }
  return (
    <ListPage
      title={t('staffDevices.title')}
      add={isAdmin && <AddButton label={t('staffDevices.add')} onClick={dialogs.create} />}
      list={list}
      filters={<DeviceFilters list={list} countOf={countOf} />}
      columns={deviceColumns}
      words={{
        showing: 'staffDevices.showing',
        search: t('staffDevices.search'),
        failed: t('staffDevices.failed'),
        empty: t('staffDevices.none'),
        emptyOfFilter: emptyOfChip(list.filters, t)
      }}
      tabs={{
        label: t('staffDevices.chips'),
        filter: 'status',
        tabs: deviceChips.map(({ filter, value, label }) => ({ filter, value, label: t(label), count: countOf(value) }))
      }}
      nameOf={deviceTitle}
      onOpen={view}
      renderMenu={(device) => (
        <RowMenu
          onView={() => view(device)}
          onEdit={isAdmin ? () => dialogs.open('edit', device) : undefined}
          onDelete={isAdmin ? () => dialogs.open('delete', device) : undefined}
        >
          {mayToggle && (
            <MenuItem icon={<ToggleRight size={18} />} onSelect={() => dialogs.open('toggleSwitch', device)}>
              {t('staffDevices.toggle')}
            </MenuItem>
          )}
          {isAdmin && (
            <MenuItem icon={<CircleArrowUp size={18} />} onSelect={() => dialogs.open('updateFirmware', device)}>
              {t('staffDevices.update')}
            </MenuItem>
          )}
          <MenuItem icon={<Copy size={18} />} onSelect={() => copy([device])}>
            {t('staffDevices.copyMac')}
          </MenuItem>
        </RowMenu>
      )}
      bulk={[
        ...(isAdmin ? bulk.actions : []),
        {
          id: 'copy',
          label: t('staffDevices.copyMacs'),
          icon: <Copy size={16} />,
          run: ({ rows }) => copy(rows)
        }
      ]}
    >
      {bulk.dialog}
      {dialogs.isCreating && (
        <AddDeviceDialog
          renderOwner={(set, error) => <OwnerField initial={null} onChange={set} error={error} />}
          onClose={dialogs.close}
        />
      )}
      {edited !== null && <EditBoardDialog key={edited._id} device={edited} onClose={dialogs.close} />}
      {updated !== null && <UpdateDialog device={updated} onClose={dialogs.close} />}
      {toggled !== null && <ToggleDialog device={toggled} onClose={dialogs.close} />}
      {deleted !== null && <DeleteBoardDialog device={deleted} onClose={dialogs.close} />}
    </ListPage>
  )
}
