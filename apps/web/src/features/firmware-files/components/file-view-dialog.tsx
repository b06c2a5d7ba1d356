import type { FirmwareFileRecord } from '@batti/contracts'
import { DetailFacts } from '#web/ui/detail-facts.tsx'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { usePersonName } from '#web/lib/records/use-person.ts'
import { DownloadLink } from './download-link.tsx'
import { FileSize } from './file-size.tsx'
import { FileState } from './file-state.tsx'
import { SignedBy } from './signed-by.tsx'

/** All details of an image. */
export function FileViewDialog({ file, onClose }: { file: FirmwareFileRecord; onClose: () => void }) {
  const t = useText()
  return (
    <DialogSheet isOpen onClose={onClose} width="wide" title={file.version} description={file.filename}>
      <DetailFacts
        className="py-2"
        facts={[
          { label: t('files.state'), value: <FileState state={file.state} /> },
          { label: t('files.model'), value: file.hwModel ?? t('files.anyModel') },
          { label: t('files.size'), value: <FileSize bytes={file.size} /> },
          { label: t('files.signedBy'), value: <SignedBy file={file} /> },
          { label: t('files.secureVersion'), value: file.secureVersion },
          { label: t('files.from'), value: file.from?.min },
          { label: t('files.sha'), value: <span className="break-all">{file.sha256}</span>, isCode: true },
          { label: t('files.uploaded'), value: <TimeAgo at={file.createdAt} /> },
          { label: t('files.uploadedBy'), value: usePersonName(file.uploadedBy) },
          { label: t('files.url'), value: <DownloadLink url={file.url} name={file.filename} /> }
        ]}
      />
    </DialogSheet>
  )
}
