import { deleteFirmwareFile, updateFirmwareFile, type FirmwareFileRecord } from '@batti/contracts'
import { ArchiveX, BadgeCheck, Milestone, Rocket } from 'lucide-react'
import { useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import { mayOpen } from '#web/app/routing/screens.ts'
import { FileViewDialog } from '#web/features/firmware-files/components/file-view-dialog.tsx'
import { FromDialog } from '#web/features/firmware-files/components/from-dialog.tsx'
import { UploadButtons } from '#web/features/firmware-files/components/upload-buttons.tsx'
import { UploadStrip } from '#web/features/firmware-files/components/upload-strip.tsx'
import { fileColumns, useFirmwareFileList } from '#web/features/firmware-files/file-list.tsx'
import { WithdrawDialog } from '#web/features/firmware-files/components/withdraw-dialog.tsx'
import { useUpload } from '#web/features/firmware-files/use-upload.ts'
import { DeleteDialog } from '#web/ui/overlays/delete-dialog.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { MenuItem } from '#web/ui/overlays/menu.tsx'
import { RowMenu } from '#web/ui/overlays/row-menu.tsx'
import { useChange } from '#web/lib/api/use-change.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useUser } from '#web/lib/services.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { boardsOn, useFleet } from '#web/lib/records/use-fleet.ts'
import { useOpened } from '#web/lib/use-opened.ts'
import { useSave } from '#web/lib/use-save.ts'

/** /admin/device-firmware-files and /monitor/device-firmware-files: monitors view; admins upload, release and roll out. */
export function Screen() {
  const t = useText()
  const user = useUser()
  const navigate = useNavigate()
  const isAdmin = user?.role === 'admin'
  const canRollOut = user !== null && mayOpen(user, '/admin/rollouts/new')
  const list = useFirmwareFileList()
  const upload = useUpload()
  const versions = useFleet().data?.versions
  const devicesPath = `/${user?.role ?? 'admin'}/devices`
  const columns = useMemo(() => fileColumns({ versions, devicesPath }), [versions, devicesPath])
  const remove = useChange(deleteFirmwareFile, staffViews.firmwareFiles)
  const update = useChange(updateFirmwareFile, staffViews.firmwareFiles)
  const dialogs = useOpened<FirmwareFileRecord, 'view' | 'from' | 'withdraw' | 'delete'>()
  const viewed = dialogs.in('view')
  const stepped = dialogs.in('from')
  const withdrawn = dialogs.in('withdraw')
  const deleted = dialogs.in('delete')
  const releasing = useSave(
    ({ filename, state }: FirmwareFileRecord) =>
      update({ params: { filename }, body: { state: 'released', seen: { state } } }),
    {
      done: ({ filename }) => t('files.released', { name: filename }),
      failed: t('files.stateFailed'),
      recordOf: ({ filename }) => filename
    }
  )
  return (
    <ListPage
      title={t('files.title')}
      // Not `add`: a file picked while the list loads must not go with buttons that move.
      actions={isAdmin && <UploadButtons upload={upload} />}
      before={isAdmin && <UploadStrip upload={upload} />}
      list={list}
      columns={columns}
      words={{
        showing: 'files.showing',
        search: t('files.search'),
        failed: t('files.failed'),
        empty: t('files.none'),
        ...(isAdmin && { emptyHint: t('files.noneHint') })
      }}
      nameOf={({ filename }) => filename}
      onOpen={(file) => dialogs.open('view', file)}
      renderMenu={(file) => (
        <RowMenu
          onView={() => dialogs.open('view', file)}
          onDelete={isAdmin ? () => dialogs.open('delete', file) : undefined}
        >
          {isAdmin && (
            <>
              {file.state === 'released' && !file.withdrawn && canRollOut && (
                <MenuItem
                  icon={<Rocket size={18} />}
                  onSelect={() =>
                    void navigate(`/admin/rollouts/new?${new URLSearchParams({ file: file.filename }).toString()}`)
                  }
                >
                  {t('files.rollOut')}
                </MenuItem>
              )}
              {file.state === 'released' ? (
                <MenuItem icon={<ArchiveX size={18} />} onSelect={() => dialogs.open('withdraw', file)}>
                  {t('files.withdraw')}
                </MenuItem>
              ) : (
                <MenuItem icon={<BadgeCheck size={18} />} onSelect={() => void releasing.save(file)}>
                  {t('files.release')}
                </MenuItem>
              )}
              <MenuItem icon={<Milestone size={18} />} onSelect={() => dialogs.open('from', file)}>
                {t('files.passThrough')}
              </MenuItem>
            </>
          )}
        </RowMenu>
      )}
    >
      {viewed !== null && <FileViewDialog file={viewed} onClose={dialogs.close} />}
      {stepped !== null && <FromDialog file={stepped} onClose={dialogs.close} />}
      {withdrawn !== null && (
        <WithdrawDialog file={withdrawn} boards={boardsOn(versions ?? [], withdrawn)} onClose={dialogs.close} />
      )}
      {deleted !== null && (
        <DeleteDialog
          title={t('files.deleteTitle', { filename: deleted.filename })}
          body={t('files.deleteBody')}
          remove={() => remove({ params: { filename: deleted.filename } })}
          done={t('files.deleted')}
          failed={t('files.deleteFailed')}
          onClose={dialogs.close}
        />
      )}
    </ListPage>
  )
}
