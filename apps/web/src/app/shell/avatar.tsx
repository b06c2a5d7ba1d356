import { useState } from 'react'

// By grapheme: a Nepali letter is often more than one code point.
function firstLetter(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.trim())
  return first?.segment.toUpperCase() ?? '?'
}

/** The person's picture, or the first letter of their name when there is none or it does not load. */
export function Avatar({ name, url }: { name: string; url: string | null }) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  const letter = firstLetter(name)
  return (
    <span
      aria-hidden="true"
      className="grid size-9 shrink-0 place-items-center overflow-hidden rounded-full bg-well text-14 font-semibold text-ink"
    >
      {url !== null && url !== failedUrl ? (
        <img src={url} alt="" className="size-full object-cover" onError={() => setFailedUrl(url)} />
      ) : (
        letter
      )}
    </span>
  )
}
