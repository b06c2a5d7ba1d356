import { CircleX, FileCheck2, FileUp } from 'lucide-react'
import { useIntl } from 'react-intl'
import { Button } from '#web/ui/button.tsx'
import { CheckField } from '#web/ui/fields/check-field.tsx'
import { sizeText } from '#web/lib/i18n/size-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { endWords, type Upload, type UploadProgress } from '../use-upload.ts'

/** Shows the chosen file, its upload progress, and why it was refused. */
export function UploadStrip({ upload }: { upload: Upload }) {
  const { file, progress, end } = upload
  if (file === null && end === null) return null
  return (
    <div className="grid gap-2 px-4 pb-4 text-14 sm:px-6">
      {file !== null && progress === null && <Chosen file={file} upload={upload} />}
      {file !== null && progress !== null && <UnderWay file={file} progress={progress} onCancel={upload.cancel} />}
      {end !== null && <End end={end} onClose={upload.dismiss} />}
    </div>
  )
}

function Chosen({ file, upload }: { file: File; upload: Upload }) {
  const t = useText()
  const intl = useIntl()
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <FileCheck2 aria-hidden="true" size={18} className="text-ink-3" />
      {/* Announced: the picker itself stays empty. */}
      <p role="status" className="min-w-0 flex-1 basis-52 truncate">
        <span className="sr-only">{t('files.chosen')}: </span>
        <span className="font-semibold">{file.name}</span>{' '}
        <span className="text-ink-3">{sizeText(intl, file.size)}</span>
      </p>
      <CheckField label={t('files.asDraft')} value={upload.isDraft} onChange={upload.setDraft} />
    </div>
  )
}

function UnderWay({ file, progress, onCancel }: { file: File; progress: UploadProgress; onCancel: () => void }) {
  const t = useText()
  const intl = useIntl()
  const { fraction } = progress
  const percent = Math.floor(fraction * 100)
  const sent = t('files.sent', { sent: sizeText(intl, fraction * file.size), all: sizeText(intl, file.size) })
  const rest =
    fraction >= 1
      ? t('files.checking')
      : progress.secondsLeft === null
        ? ''
        : t('files.secondsLeft', { seconds: progress.secondsLeft })
  return (
    <div className="flex items-center gap-4">
      <FileUp aria-hidden="true" size={18} className="text-ink-3" />
      <div className="grid min-w-0 flex-1 gap-1.5">
        <p className="flex flex-wrap justify-between gap-x-3">
          <span className="min-w-0 truncate font-semibold">{file.name}</span>
          <span className="text-ink-3">
            {sent}
            {rest === '' ? '' : ` · ${rest}`}
          </span>
          <span className="font-semibold">{intl.formatNumber(percent / 100, { style: 'percent' })}</span>
        </p>
        <div
          role="progressbar"
          aria-label={file.name}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          className="h-1.5 overflow-hidden rounded-full bg-well"
        >
          <div
            className="h-full rounded-full bg-accent transition-[width] duration-240"
            style={{ width: `${percent}%` }}
          />
        </div>
      </div>
      <Button variant="quiet" className="text-14" onClick={onCancel}>
        {t('common.cancel')}
      </Button>
    </div>
  )
}

function End({ end, onClose }: { end: NonNullable<Upload['end']>; onClose: () => void }) {
  const t = useText()
  return (
    <div className="flex items-center gap-4">
      <CircleX aria-hidden="true" size={18} className="text-danger" />
      <p role="alert" className="min-w-0 flex-1">
        {endWords(t, end)}
      </p>
      <Button variant="ghost" className="text-14" onClick={onClose}>
        {t('common.close')}
      </Button>
    </div>
  )
}
