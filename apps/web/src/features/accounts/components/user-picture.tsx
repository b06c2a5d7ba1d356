import { useState } from 'react'
import { cn } from '#web/lib/cn.ts'

const defaultPicture = '/default-avatar.svg'

/** The person's picture, in the size of the profile page; the default image where there is none or it does not load. */
export function UserPicture({ url, alt, className }: { url: string | null; alt: string; className?: string }) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  const own = url !== null && url !== failedUrl ? url : null
  return (
    <img
      src={own === null ? defaultPicture : `${own}?width=300&quality=60`}
      alt={alt}
      className={cn('shrink-0 rounded-full bg-well object-cover', className)}
      onError={() => setFailedUrl(url)}
    />
  )
}
