import { ImagePlus, X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { pictureFault } from './picture-fault.ts'
import { buttonClass } from '../button.tsx'
import { IconButton } from '../icon-button.tsx'

/** Reads a file as a `data:` URL: the pages' security policy allows these, but no `blob:`. */
function usePreview(file: File | null): string | null {
  const [preview, setPreview] = useState<{ file: File; url: string } | null>(null)
  useEffect(() => {
    if (file === null) return
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      if (typeof reader.result === 'string') setPreview({ file, url: reader.result })
    })
    reader.readAsDataURL(file)
    return () => reader.abort()
  }, [file])
  return preview !== null && preview.file === file ? preview.url : null
}

/** An optional picture with a preview; images only. `currentUrl`: the picture that it would replace. */
export function PictureField({
  file,
  currentUrl = null,
  name = 'profileImage',
  label,
  error,
  onChange
}: {
  file: File | null
  currentUrl?: string | null
  name?: string
  /** "Profile picture" when left out. */
  label?: string
  /** The server's refusal of the picture. */
  error?: string | undefined
  onChange: (file: File | null) => void
}) {
  const t = useText()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<string | null>(null)
  const fault = wrong ?? error
  const chosen = usePreview(file)
  const preview = chosen ?? (currentUrl === null ? null : `${currentUrl}?width=300&quality=60`)

  function choose(picked: File | undefined) {
    if (picked === undefined) return
    const found = pictureFault(picked)
    setWrong(found === null ? null : t(found))
    onChange(found === null ? picked : null)
  }
  function clear() {
    if (input.current) input.current.value = ''
    // The button that has the focus goes away.
    input.current?.focus()
    onChange(null)
  }
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <span className="flex flex-wrap items-baseline justify-between gap-x-3 text-14 font-medium text-ink-2">
        {label ?? t('register.image')}
        <span className="text-12 font-normal text-ink-3">{t('common.optional')}</span>
      </span>
      <div className="flex items-center gap-3">
        <span className="grid size-14 shrink-0 place-items-center overflow-hidden rounded-full bg-well text-ink-3">
          {preview === null ? (
            <ImagePlus aria-hidden="true" size={22} />
          ) : (
            <img src={preview} alt="" className="size-full object-cover" />
          )}
        </span>
        <label
          htmlFor={id}
          className={cn(
            buttonClass({ variant: 'quiet' }),
            'min-w-0 flex-1 cursor-pointer text-14 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent'
          )}
        >
          <input
            ref={input}
            id={id}
            type="file"
            name={name}
            accept="image/*"
            className="sr-only"
            aria-invalid={fault !== undefined || undefined}
            aria-describedby={fault === undefined ? undefined : `${id}-fault`}
            onChange={(event) => choose(event.target.files?.[0])}
          />
          <span className="line-clamp-2 wrap-anywhere">{file?.name ?? t('register.imageChoose')}</span>
        </label>
        {file !== null && <IconButton label={t('register.imageRemove')} icon={<X size={20} />} onClick={clear} />}
      </div>
      {fault !== undefined && (
        <p id={`${id}-fault`} role="alert" className="text-14 text-danger">
          {fault}
        </p>
      )}
    </div>
  )
}
