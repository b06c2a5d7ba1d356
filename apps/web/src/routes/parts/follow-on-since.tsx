import { useEffect } from 'react'
import { useOnSince } from '#web/features/on-times/use-on-since.ts'

/** Tells its page since when switches have been on. It shows nothing, so a page can load it after what it shows. */
export function FollowOnSince({ onChange }: { onChange: (since: ReturnType<typeof useOnSince>) => void }) {
  const since = useOnSince()
  useEffect(() => onChange(since), [since, onChange])
  return null
}
