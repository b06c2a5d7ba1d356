import { ExternalLink } from 'lucide-react'
import { useText } from '#web/lib/i18n/use-text.ts'

/** A link to the file in a new tab; its URL is valid for an hour. */
export function DownloadLink({ url, name }: { url: string; name: string }) {
  const t = useText()
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      aria-label={t('files.openNamed', { name })}
      className="relative z-10 inline-flex items-center gap-1.5 font-medium text-accent underline-offset-4 hover:underline"
    >
      {t('files.open')}
      <ExternalLink aria-hidden="true" size={14} />
    </a>
  )
}
