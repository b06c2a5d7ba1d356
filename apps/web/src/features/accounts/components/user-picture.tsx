import { useState } from 'react'

const defaultPicture = '/default-avatar.svg'

/** The person's picture in the profile page's size; a default image if there is none or it does not load. */
export function UserPicture({ url, alt }: { url: string | null; alt: string }) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  const own = url !== null && url !== failedUrl ? url : null
  return (
    <img
      src={own === null ? defaultPicture : `${own}?width=300&quality=60`}
      alt={alt}
      className="size-24 shrink-0 rounded-full bg-well object-cover"
      onError={() => setFailedUrl(url)}
    />
  )
}
