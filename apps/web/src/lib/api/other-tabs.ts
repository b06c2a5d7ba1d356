import type { QueryKey } from '@tanstack/react-query'

const channelName = 'batti-changes'
/** Of the document: its own words come back to it, too. */
const own = () => performance.timeOrigin

/** Null where the browser has none, or gives none because it forbids a page to store anything. */
function openChannel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel(channelName)
  } catch {
    return null
  }
}

/** Tells the other tabs of this browser what a change here touches. */
export function tellOtherTabs(touches: readonly QueryKey[]): void {
  const channel = openChannel()
  if (channel === null) return
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none: it is of its origin alone
  channel.postMessage({ from: own(), touches })
  channel.close()
}

/** Hears what changes in other tabs touch. Answers the undo. */
export function hearOtherTabs(read: (touches: readonly QueryKey[]) => void): () => void {
  const channel = openChannel()
  if (channel === null) return () => {}
  channel.addEventListener('message', ({ data }: MessageEvent<{ from: number; touches: readonly QueryKey[] }>) => {
    if (data.from !== own()) read(data.touches)
  })
  return () => channel.close()
}
