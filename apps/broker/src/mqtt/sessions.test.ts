import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { compileAcl } from './authorize.ts'
import { BoardStream } from './board-stream.ts'
import { createSessions, type Session } from './sessions.ts'

function session(clientId: string, changes: Partial<Session> = {}): Session {
  const options = {
    maxPacketBytes: 100,
    drainTimeoutMs: 1000,
    maxBacklogBytes: 1000,
    budget: null,
    onPackets: () => {}
  }
  return {
    kind: 'board',
    clientId,
    username: clientId,
    peerhost: '192.0.2.1',
    keepaliveS: 60,
    acl: compileAcl([]),
    filters: new Set(),
    stream: new BoardStream(new PassThrough(), options),
    will: null,
    connectedAt: 0,
    expiresAt: null,
    successor: null,
    expiry: null,
    ...changes
  }
}

describe('the register of connections', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const create = () => createSessions({ now: () => Date.now() })

  it('closes the older of two connections, and keeps the newer when the end of the older is reported late', () => {
    const sessions = create()
    const older = session('dev-a')
    const newer = session('dev-a')
    sessions.add(older)
    sessions.add(newer)
    expect([older.stream.destroyed, newer.stream.destroyed]).toEqual([true, false])
    expect(older.successor).toBe(newer)
    sessions.remove(older)
    expect(sessions.get('dev-a')).toBe(newer)
    sessions.remove(newer)
    expect(sessions.count()).toBe(0)
  })

  it('tells the older connection who will replace it', () => {
    const sessions = create()
    const older = session('dev-a')
    const newer = session('dev-a')
    sessions.add(older)
    sessions.announce(newer)
    expect(older.successor).toBe(newer)
    expect(older.stream.destroyed).toBe(false)
  })

  it('closes a connection at its expiry, also one that is further away than the maximum of timers', () => {
    const sessions = create()
    const inSixtyDays = Date.now() + 60 * 24 * 3600 * 1000
    const soon = session('dev-a', { expiresAt: Date.now() + 1000 })
    const late = session('dev-b', { expiresAt: inSixtyDays })
    sessions.add(soon)
    sessions.add(late)
    vi.advanceTimersByTime(1000)
    expect([soon.stream.destroyed, late.stream.destroyed]).toEqual([true, false])
    vi.advanceTimersByTime(inSixtyDays - Date.now() - 1)
    expect(late.stream.destroyed).toBe(false)
    vi.advanceTimersByTime(1)
    expect(late.stream.destroyed).toBe(true)
  })

  it('forgets the expiry of a closed connection', () => {
    const sessions = create()
    const gone = session('dev-a', { expiresAt: Date.now() + 1000 })
    sessions.add(gone)
    sessions.remove(gone)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('revokes connected and pending clients, and returns whether there were any', () => {
    const sessions = create()
    const connected = session('dev-a')
    const opening = sessions.open('dev-a')
    const answered = sessions.open('dev-a')
    sessions.closeOpening(answered)
    sessions.add(connected)
    expect(sessions.revoke('dev-a')).toBe(true)
    expect([connected.stream.destroyed, opening.revoked, answered.revoked]).toEqual([true, true, false])
    sessions.remove(connected)
    sessions.closeOpening(opening)
    expect(sessions.revoke('dev-a')).toBe(false)
  })

  it('revokes every CONNECT of a client id that is being looked up, and none that was answered', () => {
    const sessions = create()
    const openings = [1, 2, 3].map(() => sessions.open('dev-a'))
    const other = sessions.open('dev-b')
    for (const answered of openings.slice(0, 1)) sessions.closeOpening(answered)
    expect(sessions.revoke('dev-a')).toBe(true)
    expect([...openings, other].map(({ revoked }) => revoked)).toEqual([false, true, true, false])
    for (const answered of openings) sessions.closeOpening(answered)
    expect(sessions.revoke('dev-a')).toBe(false)
  })

  it('revokes what is connected without any CONNECT under way', () => {
    const sessions = create()
    const connected = session('dev-a')
    sessions.add(connected)
    expect(sessions.revoke('dev-a')).toBe(true)
    expect(connected.stream.destroyed).toBe(true)
  })

  it('revokes a client that is authenticated and not registered yet, beside the older connection it replaces', () => {
    const sessions = create()
    const [older, newer, other] = [session('dev-a'), session('dev-a'), session('dev-b')]
    sessions.add(older)
    for (const coming of [newer, other]) sessions.announce(coming)
    expect(sessions.revoke('dev-a')).toBe(true)
    expect([older, newer, other].map(({ stream }) => stream.destroyed)).toEqual([true, true, false])
  })

  it('forgets a connection that ended before or after it was registered', async () => {
    const sessions = create()
    const [early, late] = [session('dev-a'), session('dev-b')]
    for (const coming of [early, late]) sessions.announce(coming)
    const closed = once(early.stream as BoardStream, 'close')
    early.stream.destroy()
    await closed
    sessions.add(late)
    sessions.remove(late)
    expect(['dev-a', 'dev-b'].map(sessions.revoke)).toEqual([false, false])
  })

  it('closes all connections of a broker that stops, registered or not', () => {
    const sessions = create()
    const all = [session('dev-a'), session('dev-b'), session('dev-c')]
    for (const registered of all.slice(1)) sessions.add(registered)
    for (const coming of all.slice(0, 1)) sessions.announce(coming)
    sessions.endAll()
    expect(all.map(({ stream }) => stream.destroyed)).toEqual([true, true, true])
  })

  it('lists no connection that ended before it was registered, nor the one it replaced', async () => {
    const sessions = create()
    const [older, newer] = [session('dev-a'), session('dev-a', { expiresAt: Date.now() + 1000 })]
    sessions.add(older)
    sessions.announce(newer)
    const closed = once(newer.stream as BoardStream, 'close')
    newer.stream.destroy()
    await closed
    expect(sessions.revoke('dev-a')).toBe(true)
    sessions.add(newer)
    expect([older.stream.destroyed, sessions.count(), vi.getTimerCount()]).toEqual([true, 0, 0])
    expect(sessions.revoke('dev-a')).toBe(false)
  })

  it('keeps the connection that is put in twice, and names all there are', () => {
    const sessions = create()
    const [one, other] = [session('dev-a'), session('dev-b')]
    for (const added of [one, one, other]) sessions.add(added)
    expect([one.stream.destroyed, one.successor]).toEqual([false, null])
    expect([...sessions.all()]).toEqual([one, other])
  })
})
