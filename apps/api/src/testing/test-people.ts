import { randomBytes } from 'node:crypto'
import { accessTokenMinutes, type MonitorPermission, type Role } from '@batti/contracts'
import { Types, type Connection } from 'mongoose'
import { createAccessTokens } from '../features/sessions/access-token.ts'
import type { Clock } from '@batti/kit/clock'
import type { Actor } from '../platform/people/actor.ts'

export interface TestPeople {
  /** Creates an account with a session; both are in the database before the next call. */
  person(role?: Role, permissions?: MonitorPermission[]): Actor
  /** Returns an access token for a call; valid at this moment of the test's clock. */
  tokenOf(actor: Actor): Promise<string>
  /** Resolves when all people are in the database. */
  ready(): Promise<unknown>
}

/** Creates people without a sign-up, for tests of what they do afterwards. */
export function createTestPeople(parts: { connection(): Connection; clock: Clock; jwtSecret: string }): TestPeople {
  const { clock } = parts
  const tokens = createAccessTokens({ secret: parts.jwtSecret, lifetimeMs: accessTokenMinutes * 60_000 })
  let count = 0
  let writing: Promise<unknown> = Promise.resolve()

  async function write(actor: Actor, number: number): Promise<void> {
    const now = new Date(clock.now())
    const email = `resident${number}@batti.test`
    const phone = `+97798${String(number).padStart(8, '0')}`
    await parts
      .connection()
      .model('User')
      .create({
        _id: actor.userId,
        name: actor.name,
        email,
        emailKey: email,
        loginEmail: email,
        loginEmailKey: email,
        loginEmailVerified: true,
        phone,
        loginPhone: phone,
        loginPhoneVerified: true,
        role: actor.role,
        permissions: [...actor.permissions],
        createdAt: now,
        updatedAt: now
      })
    await parts
      .connection()
      .model('Session')
      .create({
        _id: actor.sessionId,
        userId: actor.userId,
        tokenHash: randomBytes(32).toString('hex'),
        createdAt: now,
        lastUsedAt: now,
        expiresAt: new Date('2100-01-01')
      })
  }

  return {
    person(role = 'user', permissions = []) {
      count += 1
      const number = count
      const actor: Actor = {
        userId: new Types.ObjectId().toHexString(),
        role,
        name: `Person ${number}`,
        permissions,
        sessionId: new Types.ObjectId().toHexString()
      }
      writing = writing.then(() => write(actor, number))
      return actor
    },
    async tokenOf(actor) {
      await writing
      return tokens.issue(actor, clock.now())
    },
    ready: () => writing
  }
}
