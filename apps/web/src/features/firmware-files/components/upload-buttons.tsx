import { FilePlus2, Upload as UploadIcon } from 'lucide-react'
import { useRef } from 'react'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { Upload } from '../use-upload.ts'

/** The file picker and the upload button. */
export function UploadButtons({ upload }: { upload: Upload }) {
  const t = useText()
  const input = useRef<HTMLInputElement>(null)
  const isBusy = upload.progress !== null
  return (
    <>
      <label
        className={cn(
          buttonClass({ variant: 'quiet' }),
          'cursor-pointer text-14 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
          isBusy && 'pointer-events-none opacity-50'
        )}
      >
        <FilePlus2 aria-hidden="true" size={18} />
        {t('files.choose')}
        <input
          ref={input}
          type="file"
          name="firmware"
          accept=".bin"
          disabled={isBusy}
          className="sr-only"
          onChange={(event) => {
            const [picked] = event.target.files ?? []
            if (picked !== undefined) upload.choose(picked)
            // Reset, so that the same file can be chosen again: it may have been signed meanwhile.
            event.target.value = ''
          }}
        />
      </label>
      <Button isBusy={isBusy} onClick={() => void upload.start()} className="text-14">
        {!isBusy && <UploadIcon aria-hidden="true" size={18} />}
        {t(isBusy ? 'files.uploading' : 'files.upload')}
      </Button>
    </>
  )
}
