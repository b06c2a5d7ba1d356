import { gatherMs } from './cluster.ts'
import type { ClusterMessage } from './stream-entry.ts'

/** Collects the messages for each stream, so that those of one turn of the event loop are sent together and in order. */
export function createStreamOutbox(send: (stream: string, messages: readonly ClusterMessage[]) => void) {
  const waiting = new Map<string, ClusterMessage[]>()
  /** Streams with messages that must be sent after this turn of the event loop. */
  const hurried = new Set<string>()
  const gathering = new Map<string, NodeJS.Timeout>()
  let flushing: NodeJS.Immediate | undefined

  function add(stream: string, message: ClusterMessage): void {
    const messages = waiting.get(stream)
    if (messages === undefined) waiting.set(stream, [message])
    else messages.push(message)
  }

  function sendAll(stream: string): void {
    clearTimeout(gathering.get(stream))
    gathering.delete(stream)
    const messages = waiting.get(stream)
    if (messages === undefined) return
    waiting.delete(stream)
    send(stream, messages)
  }

  function flush(): void {
    clearImmediate(flushing)
    flushing = undefined
    for (const stream of hurried) sendAll(stream)
    hurried.clear()
  }

  return {
    push(stream: string, ...message: ClusterMessage): void {
      add(stream, message)
      hurried.add(stream)
      flushing ??= setImmediate(flush)
    },
    /** For messages that nobody waits for: they are sent within `gatherMs`, or with the next one that is pushed. */
    gather(stream: string, ...message: ClusterMessage): void {
      add(stream, message)
      if (!gathering.has(stream)) gathering.set(stream, setTimeout(sendAll, gatherMs, stream))
    },
    /** Sends what was pushed at once, without waiting for the end of the turn. */
    flush
  }
}
