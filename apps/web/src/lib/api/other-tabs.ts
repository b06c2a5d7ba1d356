import type { QueryKey } from '@tanstack/react-query'

const channelName = 'batti-changes'
/** Identifies this document, which also receives its own messages. */
const own = () => performance.timeOrigin

/** Returns null when the browser has no BroadcastChannel, or denies it because it forbids storage. */
function openChannel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel(channelName)
  } catch {
    return null
  }
}

/** Tells the other tabs of this browser which queries a change affects. */
export function notifyOtherTabs(touches: readonly QueryKey[]): void {
  const channel = openChannel()
  if (channel === null) return
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none: it is of its origin alone
  channel.postMessage({ from: own(), touches })
  channel.close()
}

/** Calls `read` with the queries that changes in other tabs affect. Returns the undo function. */
export function listenToOtherTabs(read: (touches: readonly QueryKey[]) => void): () => void {
  const channel = openChannel()
  if (channel === null) return () => {}
  channel.addEventListener('message', ({ data }: MessageEvent<{ from: number; touches: readonly QueryKey[] }>) => {
    if (data.from !== own()) read(data.touches)
  })
  return () => channel.close()
}
