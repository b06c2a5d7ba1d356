import { listDeviceFirmware, updateDeviceFirmware, type DeviceRecord, type FirmwareChoice } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { SheetClose } from '#web/ui/overlays/sheet-close.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useChange } from '#web/lib/api/use-change.ts'
import { deviceTitle } from '#web/lib/records/device-title.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { isUnderWay, useDeviceUpdate } from '#web/lib/live/device-update.ts'
import { useLiveState } from '#web/lib/live/use-live-device.ts'
import { useApi } from '#web/lib/services.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useSave } from '#web/lib/use-save.ts'
import { ChoiceList } from './choice-list.tsx'
import { UpdateOutcome } from './update-outcome.tsx'

const keyOf = (id: string) => ['device-firmware', id] as const

/** Updates one board: the choice of a version, then live progress. */
export function UpdateDialog({ device, onClose }: { device: DeviceRecord; onClose: () => void }) {
  const t = useText()
  const api = useApi()
  const [chosen, setChosen] = useState<string | null>(null)
  const live = useLiveState(device.deviceMac)
  const update = useDeviceUpdate(device.deviceMac, device.firmware)
  // An update that ended before the dialog was opened is not its outcome.
  const [dismissed, setDismissed] = useState(() => (update !== null && !isUnderWay(update) ? update.id : null))
  const choices = useQuery({
    queryKey: keyOf(device._id),
    queryFn: ({ signal }) => api.call(listDeviceFirmware, { query: { deviceId: device._id }, signal })
  })
  // A choice that is no longer offered, as it was withdrawn meanwhile, is shown no more and not sent.
  const picked = choices.data?.find(({ filename }) => filename === chosen)?.filename
  const send = useChange(updateDeviceFirmware, [...staffViews.devices, keyOf(device._id)])
  const starting = useSave((fileName: string) => send({ body: { deviceId: device._id, fileName } }), {
    done: t('update.initiated'),
    failed: t('update.startFailed')
  })
  const isOnline = live?.isOnline ?? device.isOnline
  const isShown = update !== null && (isUnderWay(update) || update.id !== dismissed)
  const pin = device.pinnedVersion ?? null
  return (
    <DialogSheet
      isOpen
      onClose={onClose}
      title={t('update.title')}
      description={
        <span className="flex flex-wrap gap-x-3">
          <span className="min-w-0 font-medium text-ink wrap-anywhere">{deviceTitle(device)}</span>
          <span className="font-mono text-12 leading-[1.8]">{device.deviceMac}</span>
          {device.osVersion !== '' && <span>{t('update.runs', { version: device.osVersion })}</span>}
        </span>
      }
      footer={
        <>
          <SheetClose label={t('common.close')} />
          {isShown && !isUnderWay(update) && (
            <Button variant="quiet" onClick={() => setDismissed(update.id)}>
              {t('update.again')}
            </Button>
          )}
          {!isShown && (
            <Button
              isBusy={starting.isSaving}
              disabled={picked === undefined || !isOnline}
              onClick={() => picked !== undefined && void starting.save(picked)}
            >
              {t('update.start')}
            </Button>
          )}
        </>
      }
    >
      {isShown ? (
        <UpdateOutcome update={update} live={live} />
      ) : (
        <QueryView<FirmwareChoice[]>
          query={choices}
          failed={t('update.failed')}
          loading={<Skeleton className="my-2 h-40" />}
          isEmpty={(list) => list.length === 0}
          empty={<EmptyState title={t('update.none')} body={t('update.noneHint', { model: device.hwModel })} />}
        >
          {(list) => (
            <div className="grid gap-3 py-2 text-14">
              {!isOnline && <p className="text-warn">{t('update.offline')}</p>}
              {pin !== null && <p className="text-warn">{t('update.pinned', { version: pin.version })}</p>}
              <ChoiceList choices={list} running={device.osVersion} value={chosen} onChange={setChosen} />
              <p className="text-ink-3">{t('update.how')}</p>
            </div>
          )}
        </QueryView>
      )}
    </DialogSheet>
  )
}
