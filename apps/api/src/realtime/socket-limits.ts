import { createTokenBucket } from '../platform/token-bucket.ts'

export interface SocketLimits {
  mayCommand(now: number): boolean
  mayJoin(now: number): boolean
  /** Whether refusals have gone on for 5 s, so that the connection has to end. */
  isFlooding(now: number): boolean
}

const floodMs = 5000
/** A pause this long between refusals ends a flood. */
const calmMs = 1000

/** Limits of one socket: commands a second (twice as many in a burst) and joins a minute; 0 turns one off. */
export function createSocketLimits(limits: { commandsPerSecond: number; joinsPerMinute: number }): SocketLimits {
  const commands = createTokenBucket(limits.commandsPerSecond, limits.commandsPerSecond * 2)
  const joins = createTokenBucket(limits.joinsPerMinute / 60, limits.joinsPerMinute)
  let floodSince: number | null = null
  let refusedAt = 0

  function note(isAllowed: boolean, now: number): boolean {
    if (isAllowed) return true
    if (floodSince === null || now - refusedAt > calmMs) floodSince = now
    refusedAt = now
    return false
  }

  return {
    mayCommand: (now) => note(commands.take(now), now),
    mayJoin: (now) => note(joins.take(now), now),
    isFlooding: (now) => floodSince !== null && refusedAt === now && now - floodSince >= floodMs
  }
}
