import type { DeviceRecord } from '@batti/contracts'
import { Eye, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { BoardDrawing, exampleOutlets } from '#web/ui/board-drawing.tsx'
import { DeleteDialog } from '#web/ui/overlays/delete-dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { MenuItem } from '#web/ui/overlays/menu.tsx'
import { Page } from '#web/ui/page.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { useDeleteDevice } from '#web/features/devices/api/delete-device.ts'
import { useDevices } from '#web/features/devices/api/list-devices.ts'
import { DeviceCard } from '#web/features/devices/components/device-card.tsx'
import { DeviceGrid, DeviceGridLoading } from '#web/features/devices/components/device-grid.tsx'
import { LivePresenceBadge } from '#web/features/devices/components/live-presence-badge.tsx'
import { useRooms } from '#web/features/rooms/api/list-rooms.ts'
import { useSwitches } from '#web/features/switches/api/list-switches.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { deviceTitle } from '#web/lib/records/device-title.ts'
import { createPart, usePart } from '#web/lib/use-part.ts'
import { OwnBoardSheet } from '#web/routes/parts/own-board-sheet.tsx'
import { useAddSchedule } from '#web/routes/parts/use-add-schedule.tsx'
import { useGoneRecord } from '#web/routes/parts/use-gone-record.ts'

// Rarely opened, so it is loaded on demand.
const detailsDialog = createPart(
  async () => (await import('#web/features/devices/components/device-details-dialog.tsx')).DeviceDetailsDialog
)

/** Loads the whole document: only then does the setup page's own security policy apply. */
function AddDevice({ className }: { className?: string }) {
  const t = useText()
  return (
    <LinkButton to="/user/devices/new" reloadDocument className={className}>
      <Plus aria-hidden="true" size={20} />
      {t('devices.add')}
    </LinkButton>
  )
}

/** /user/devices: My Devices. */
export function Screen() {
  const t = useText()
  const devices = useDevices()
  // Before a board is opened, so that its sheet shows the names at once.
  useSwitches()
  const rooms = useRooms()
  const addSchedule = useAddSchedule()
  const deletion = useDeleteDevice()
  const [params, setParams] = useSearchParams()
  const [toDelete, setToDelete] = useState<DeviceRecord | null>(null)
  const list = devices.data?.devices ?? []
  // Kept in the address, so that a reload keeps the sheet open.
  const opened = list.find((device) => device._id === params.get('device'))
  const detailed = list.find((device) => device._id === params.get('details'))
  const wanted = params.get('device') ?? params.get('details')
  useGoneRecord(devices, { id: wanted, records: list, words: t('details.gone') })
  const details = usePart(detailsDialog, detailed !== undefined, () => setParams({}, { replace: true }))

  return (
    <Page title={t('devices.title')}>
      <QueryView
        query={devices}
        failed={t('devices.failed')}
        loading={<DeviceGridLoading />}
        isEmpty={() => list.length === 0}
        empty={
          <EmptyState
            title={t('devices.none')}
            body={t('devices.noneHint')}
            drawing={<BoardDrawing className="w-48" outlets={exampleOutlets()} />}
            action={<AddDevice />}
          />
        }
      >
        {() => (
          <DeviceGrid>
            {list.map((device) => (
              <DeviceCard
                key={device._id}
                device={device}
                onOpen={() => setParams({ device: device._id }, { replace: true })}
                actions={
                  <>
                    <MenuItem
                      icon={<Eye size={18} />}
                      onSelect={() => setParams({ details: device._id }, { replace: true })}
                    >
                      {t('details.view')}
                    </MenuItem>
                    <MenuItem
                      icon={<Pencil size={18} />}
                      onSelect={() => setParams({ details: device._id }, { replace: true })}
                    >
                      {t('details.edit')}
                    </MenuItem>
                    <MenuItem tone="danger" icon={<Trash2 size={18} />} onSelect={() => setToDelete(device)}>
                      {t('devices.delete')}
                    </MenuItem>
                  </>
                }
              />
            ))}
          </DeviceGrid>
        )}
      </QueryView>
      {list.length > 0 && (
        <AddDevice className="fixed right-[calc(env(safe-area-inset-right)+1rem)] bottom-[calc(env(safe-area-inset-bottom)+5.75rem)] z-20 rounded-full px-5 shadow-float max-sm:low:static max-sm:low:mt-4 sm:right-[calc(env(safe-area-inset-right)+2rem)] sm:bottom-[calc(max(6dvh,env(safe-area-inset-bottom)+1.94rem)+2.5rem)] lg:bottom-8" />
      )}
      {opened !== undefined && (
        <OwnBoardSheet
          key={opened._id}
          device={opened}
          onAddSchedule={addSchedule.open}
          onClose={() => setParams({}, { replace: true })}
        />
      )}
      {detailed !== undefined &&
        details?.({
          key: detailed._id,
          device: detailed,
          rooms: rooms.data?.rooms ?? [],
          presence: <LivePresenceBadge device={detailed} />,
          onClose: () => setParams({}, { replace: true })
        })}
      {addSchedule.dialog}
      {toDelete !== null && (
        <DeleteDialog
          title={t('devices.deleteTitle', { name: deviceTitle(toDelete) })}
          body={t('devices.deleteBody')}
          confirmLabel={t('devices.delete')}
          done={t('devices.deleted')}
          failed={t('devices.deleteFailed')}
          remove={() => deletion.mutateAsync(toDelete._id)}
          onClose={() => setToDelete(null)}
        />
      )}
    </Page>
  )
}
