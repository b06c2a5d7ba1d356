import { statesToWire, withStates } from '@batti/contracts'
import { afterCommit, isInTransaction } from '../../platform/after-commit.ts'
import type { createDeviceReader } from './device-reader.ts'
import type { KeptReads } from './kept-reads.ts'
import { isNewerReport, type LiveDevice } from './live-device.ts'

const readAtOnce = 500

export interface DeviceRefreshOptions {
  reader: Pick<ReturnType<typeof createDeviceReader>, 'readOne' | 'readMany'>
  reads: Pick<KeptReads, 'keepOne'>
  /** Reads one board together with others that are asked for at the same time. */
  readTogether(id: string): Promise<LiveDevice | null>
  /** The records in memory. */
  byId: ReadonlyMap<string, LiveDevice>
  remember(device: LiveDevice): LiveDevice
  forget(id: string): void
}

/** Brings records in memory up to date with what others have stored. */
export function createDeviceRefresh(options: DeviceRefreshOptions) {
  const { reader, reads, readTogether, byId, remember, forget } = options
  const refreshing = new Map<string, Promise<LiveDevice | null>>()
  /** For each `reread` under way, the boards that were brought up to date by a read that began later. */
  const underWay = new Set<Set<LiveDevice>>()

  /** Begins a new read, because one that is under way may have begun before the change. */
  async function readAgain(id: string): Promise<LiveDevice | null> {
    const earlier = [...underWay]
    const kept = await reads.keepOne(
      () => (byId.has(id) ? reader.readOne({ _id: id }) : readTogether(id)),
      (fresh) => {
        const known = byId.get(id)
        // What a transaction reads may never be stored.
        if (known === undefined) return isInTransaction() ? fresh : remember(fresh)
        afterCommit(() => {
          adoptSettings(known, fresh)
          for (const refreshed of earlier) refreshed.add(known)
        })
        return known
      }
    )
    if (kept === null) afterCommit(() => forget(id))
    return kept
  }

  /** Reads again what others may have changed (owner, names), and keeps what the board reported. */
  function refresh(id: string): Promise<LiveDevice | null> {
    // One after the other, so that the answer of an earlier read never replaces that of a later one.
    const again = (): Promise<LiveDevice | null> => readAgain(id)
    const turn = (refreshing.get(id) ?? Promise.resolve()).then(again, again)
    refreshing.set(id, turn)
    return turn.finally(() => {
      if (refreshing.get(id) === turn) refreshing.delete(id)
    })
  }

  /** Reads boards, and returns which of them were refreshed meanwhile: their settings in memory are newer. */
  async function readPart(part: readonly LiveDevice[]) {
    const refreshed = new Set<LiveDevice>()
    underWay.add(refreshed)
    try {
      const found = await reader.readMany(part.map(({ id }) => id))
      return { found: new Map(found.map((fresh) => [fresh.id, fresh])), refreshed }
    } finally {
      underWay.delete(refreshed)
    }
  }

  /** Takes over what others have stored where it is newer than the known state. Returns the boards that no longer exist. */
  async function reread(known: readonly LiveDevice[]): Promise<LiveDevice[]> {
    const gone: LiveDevice[] = []
    for (let from = 0; from < known.length; from += readAtOnce) {
      const part = known.slice(from, from + readAtOnce)
      const { found, refreshed } = await readPart(part)
      for (const device of part) {
        const fresh = found.get(device.id)
        if (fresh === undefined) {
          gone.push(device)
          continue
        }
        if (!refreshed.has(device)) adoptSettings(device, fresh)
        adoptState(device, fresh)
      }
    }
    return gone
  }

  return { refresh, reread }
}

/** Takes over what people set, and what another api has stored of the board; keeps the outlet states that the board reported. */
function adoptSettings(known: LiveDevice, fresh: LiveDevice): void {
  const { userId, roomId, deviceName, setName, timezone, osVersion, localIp, configRev, schedulesRev } = fresh
  const outlets = withStates(fresh.outlets, statesToWire(known.outlets))
  const settings = { userId, roomId, deviceName, setName, timezone, outlets, configRev, schedulesRev }
  Object.assign(known, { ...settings, osVersion, localIp })
}

/** Takes over what the board reported, unless the known state is newer. */
function adoptState(known: LiveDevice, fresh: LiveDevice): void {
  if (isNewerReport(fresh, known)) {
    known.outlets = withStates(known.outlets, statesToWire(fresh.outlets))
    const { bootId, seq, earlierBoots, conn, stateAt, configConfirmedRev, schedulesConfirmedRev } = fresh
    Object.assign(known, { bootId, seq, earlierBoots, conn, stateAt, configConfirmedRev, schedulesConfirmedRev })
  }
  if (fresh.onlineChangedAt > known.onlineChangedAt) {
    known.isOnline = fresh.isOnline
    known.onlineChangedAt = fresh.onlineChangedAt
  }
}
