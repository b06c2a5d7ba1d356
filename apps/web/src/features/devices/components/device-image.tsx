import { useState } from 'react'
import { BoardDrawing, type BoardOutlet } from '#web/ui/board-drawing.tsx'

/** The model's picture, 300 px wide at quality 60; without one, or if it does not load, a drawing with lit keys. */
export function DeviceImage({ url, outlets }: { url: string | null; outlets: readonly BoardOutlet[] }) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  if (url === null || url === '' || url === failedUrl) return <BoardDrawing outlets={outlets} />
  const sized = `${url}${url.includes('?') ? '&' : '?'}width=300&quality=60`
  return (
    <img
      src={sized}
      alt=""
      loading="lazy"
      onError={() => setFailedUrl(url)}
      className="aspect-[200/112] w-full rounded-xl object-cover"
    />
  )
}
