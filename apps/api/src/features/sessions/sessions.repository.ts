import { addressGroup } from '@batti/kit/address'
import { Types } from 'mongoose'
import type { SessionDocument, SessionModel } from './session.model.ts'

export interface Session {
  id: string
  userId: string
  tokenHash: string
  rotated: { hash: string; at: number }[]
  userAgent: string
  ip: string
  createdAt: number
  lastUsedAt: number
  expiresAt: number
}

export const newSessionId = (): string => new Types.ObjectId().toHexString()

export function createSessionsRepository(model: SessionModel) {
  return {
    async insert({ id, userId, rotated, createdAt, lastUsedAt, expiresAt, ...rest }: Session): Promise<void> {
      await model.create({
        ...rest,
        _id: new Types.ObjectId(id),
        userId: new Types.ObjectId(userId),
        rotated: rotated.map(({ hash, at }) => ({ hash, at: new Date(at) })),
        createdAt: new Date(createdAt),
        lastUsedAt: new Date(lastUsedAt),
        expiresAt: new Date(expiresAt)
      })
    },
    async find(id: string): Promise<Session | null> {
      const document = await model.findById(id).lean<SessionDocument>()
      return document === null ? null : present(document)
    },
    async findMany(ids: readonly string[]): Promise<Session[]> {
      const documents = await model.find({ _id: { $in: ids } }).lean<SessionDocument[]>()
      return documents.map(present)
    },
    /** Most recently used first. */
    async listOf(userId: string): Promise<Session[]> {
      const documents = await model
        .find({ userId: new Types.ObjectId(userId) })
        .sort({ lastUsedAt: -1 })
        .lean<SessionDocument[]>()
      return documents.map(present)
    },
    /** Replaces the current token; returns false if another request did so first. */
    async rotate(
      id: string,
      { from, to, now, keepSince, ip }: { from: string; to: string; now: number; keepSince: number; ip: string }
    ): Promise<boolean> {
      const session = await model.findById(id, { rotated: 1 }).lean<SessionDocument>()
      const recent = (session?.rotated ?? []).filter(({ at }) => at.getTime() >= keepSince)
      const rotated = [...recent, { hash: from, at: new Date(now) }]
      const { matchedCount } = await model.updateOne(
        { _id: id, tokenHash: from },
        { $set: { tokenHash: to, lastUsedAt: new Date(now), ip, rotated } }
      )
      return matchedCount === 1
    },
    /** Returns accounts with an active session that was last used from that address or IPv6 network. */
    async userIdsAt(ip: string, now: number): Promise<string[]> {
      const group = addressGroup(ip)
      // IPv6 has many notations, and behind a proxy an IPv4 address may be mapped into IPv6.
      const where = group.includes(':') ? /:/ : { $in: [group, `::ffff:${group}`] }
      const found = await model
        .find({ ip: where, expiresAt: { $gt: new Date(now) } }, { userId: 1, ip: 1 })
        .lean<Pick<SessionDocument, 'userId' | 'ip'>[]>()
      const there = found.filter((session) => addressGroup(session.ip) === group)
      return [...new Set(there.map(({ userId }) => String(userId)))]
    },
    /** Returns whether there was one to end. */
    async remove(id: string, userId: string): Promise<boolean> {
      const { deletedCount } = await model.deleteOne({ _id: id, userId: new Types.ObjectId(userId) })
      return deletedCount === 1
    }
  }
}
export type SessionsRepository = ReturnType<typeof createSessionsRepository>

function present({ _id, userId, rotated, createdAt, lastUsedAt, expiresAt, ...rest }: SessionDocument): Session {
  return {
    ...rest,
    id: String(_id),
    userId: String(userId),
    rotated: rotated.map(({ hash, at }) => ({ hash, at: at.getTime() })),
    createdAt: createdAt.getTime(),
    lastUsedAt: lastUsedAt.getTime(),
    expiresAt: expiresAt.getTime()
  }
}
