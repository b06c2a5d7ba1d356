import type { QueryKey } from '@tanstack/react-query'

const channelName = 'batti-changes'
/** Of the document: its own words come back to it, too. */
const own = () => performance.timeOrigin

/** Tells the other tabs of this browser what a change here touches. Not every browser can. */
export function tellOtherTabs(touches: readonly QueryKey[]): void {
  if (typeof BroadcastChannel === 'undefined') return
  const channel = new BroadcastChannel(channelName)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none: it is of its origin alone
  channel.postMessage({ from: own(), touches })
  channel.close()
}

/** Hears what changes in other tabs touch. Answers the undo. */
export function hearOtherTabs(read: (touches: readonly QueryKey[]) => void): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => {}
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', ({ data }: MessageEvent<{ from: number; touches: readonly QueryKey[] }>) => {
    if (data.from !== own()) read(data.touches)
  })
  return () => channel.close()
}
