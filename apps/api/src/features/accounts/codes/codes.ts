import { isDuplicateKey } from '../../../platform/store/database.ts'
import { constantTimeEqual } from '@batti/kit/node/constant-time-equal'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { codeAttempts, codeCooldownMs, codeLifetimeMs } from '@batti/contracts'
import { AppError, tryAgainAfter } from '../../../platform/app-error.ts'
import type { Clock } from '@batti/kit/clock'
import type { ServerKeys } from '../../../platform/store/server-keys.ts'
import { whileCoolingDown } from './cool-down.ts'
import type { CodeDocument, CodeModel, CodePurpose } from './code.model.ts'

/** A request for a code: `subject` is whom it is for (`user:<id>`, `email:<key>`), `target` is where it is sent. */
export interface CodeRequest {
  purpose: CodePurpose
  subject: string
  userId: string | null
  target: string
  lifetimeMs?: number
}

export interface SentCode {
  purpose: CodePurpose
  userId: string
  target: string
  /** Identifies it among all sent codes. */
  linkHash: string
}

export interface Codes {
  /**
   * Creates six digits and a link token, in place of earlier ones. @throws AppError TOO_MANY_REQUESTS within 60 s of an unused
   * one.
   */
  issue(request: CodeRequest): Promise<{ code: string; token: string }>
  /** @throws AppError TOO_MANY_REQUESTS where `issue` would. For callers that check other limits first. */
  assertMayIssue(request: Pick<CodeRequest, 'purpose' | 'subject'>): Promise<void>
  /** Forgets a code that could not be sent, so that another can be requested at once. */
  cancel(request: Pick<CodeRequest, 'purpose' | 'subject'>): Promise<void>
  /** Spends a code. @throws AppError CODE_INVALID: wrong, spent, expired, another account's, or tried five times. */
  spendCode(request: Pick<CodeRequest, 'purpose' | 'subject'>, code: string): Promise<SentCode>
  /** Spends a link. @throws AppError CODE_INVALID. */
  spendLink(purposes: readonly CodePurpose[], token: string): Promise<SentCode>
  /** Like `spendCode` and `spendLink` without spending; a try of a code is counted. */
  checkCode(request: Pick<CodeRequest, 'purpose' | 'subject'>, code: string): Promise<SentCode>
  checkLink(purposes: readonly CodePurpose[], token: string): Promise<SentCode>
  /** Spends a checked code, in one transaction with its purpose. @throws AppError CODE_INVALID: spent or replaced since. */
  spend(checked: SentCode): Promise<void>
  /** Invalidates everything that was sent to an account for these purposes: an hour-old link must not undo a new password. */
  endAllOf(userId: string, purposes: readonly CodePurpose[]): Promise<void>
  forgetAllOf(userId: string): Promise<void>
}

/** One message for every reason, with the words that the specified screens look for. */
export const codeInvalid = () =>
  new AppError('CODE_INVALID', 'This code is invalid or has expired. Please ask for a new one.')
export const linkInvalid = () =>
  new AppError('CODE_INVALID', 'This link is invalid or has expired. Please ask for a new one.')

export const newCode = (): string => String(randomInt(0, 1_000_000)).padStart(6, '0')
/** 256 bits. */
export const newLinkToken = (): string => randomBytes(32).toString('base64url')
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** A code has only 20 bits, so its hash is keyed: the database alone does not reveal it. */
export const hashCode = (keys: ServerKeys, owner: string, code: string): string =>
  keys.digest('one-time-codes', `code:${owner}:${code}`).toString('base64url')

export function createCodes(deps: { model: CodeModel; keys: ServerKeys; clock: Clock }): Codes {
  const { model, keys, clock } = deps
  const idOf = ({ purpose, subject }: Pick<CodeRequest, 'purpose' | 'subject'>) =>
    keys.digest('one-time-codes', `subject:${purpose}:${subject}`).toString('base64url')
  const validLink = (purposes: readonly CodePurpose[], token: string) => ({
    linkHash: hashToken(token),
    purpose: { $in: [...purposes] },
    spentAt: null,
    expiresAt: { $gt: new Date(clock.now()) }
  })

  async function checkCode(request: Pick<CodeRequest, 'purpose' | 'subject'>, code: string): Promise<SentCode> {
    const _id = idOf(request)
    const living = { _id, spentAt: null, expiresAt: { $gt: new Date(clock.now()) }, attempts: { $lt: codeAttempts } }
    // Counted before the comparison, so that even a thousand simultaneous guesses get only five tries.
    const found = await model.findOneAndUpdate(living, { $inc: { attempts: 1 } }).lean<CodeDocument>()
    const isRight = found !== null && constantTimeEqual(found.codeHash, hashCode(keys, _id, code))
    if (!isRight || found.userId === null) throw codeInvalid()
    return sentCode(found, found.userId)
  }

  async function spend({ linkHash }: SentCode): Promise<void> {
    const { matchedCount } = await model.updateOne(
      { linkHash, spentAt: null },
      { $set: { spentAt: new Date(clock.now()) } }
    )
    if (matchedCount !== 1) throw codeInvalid()
  }

  return {
    checkCode,
    spend,
    async issue(request) {
      const _id = idOf(request)
      const [code, token, now] = [newCode(), newLinkToken(), clock.now()]
      const fields = {
        purpose: request.purpose,
        userId: request.userId,
        target: request.target,
        codeHash: hashCode(keys, _id, code),
        linkHash: hashToken(token),
        attempts: 0,
        createdAt: new Date(now),
        expiresAt: new Date(now + (request.lifetimeMs ?? codeLifetimeMs)),
        spentAt: null
      }
      // A used code has arrived, so there is no cool-down before the next.
      const old = { _id, $or: [{ createdAt: { $not: whileCoolingDown(now) } }, { spentAt: { $ne: null } }] }
      const { matchedCount } = await model.updateOne(old, { $set: fields })
      if (matchedCount === 1) return { code, token }
      try {
        await model.create({ _id, ...fields })
      } catch (error) {
        // There is already one, younger than the cool-down.
        const existing = isDuplicateKey(error) ? await model.findById(_id).lean<CodeDocument>() : null
        if (existing === null) throw error
        throw tryAgainAfter((existing.createdAt.getTime() + codeCooldownMs - now) / 1000)
      }
      return { code, token }
    },
    async assertMayIssue(request) {
      const living = { _id: idOf(request), spentAt: null, createdAt: whileCoolingDown(clock.now()) }
      const found = await model.findOne(living).lean<CodeDocument>()
      if (found !== null) throw tryAgainAfter((found.createdAt.getTime() + codeCooldownMs - clock.now()) / 1000)
    },
    async cancel(request) {
      await model.deleteOne({ _id: idOf(request) })
    },
    async spendCode(request, code) {
      const checked = await checkCode(request, code)
      await spend(checked)
      return checked
    },
    async spendLink(purposes, token) {
      const found = await model
        .findOneAndUpdate(validLink(purposes, token), { $set: { spentAt: new Date(clock.now()) } })
        .lean<CodeDocument>()
      return sentLink(found)
    },
    async checkLink(purposes, token) {
      const found = await model.findOne(validLink(purposes, token)).lean<CodeDocument>()
      return sentLink(found)
    },
    async endAllOf(userId, purposes) {
      const living = { userId, purpose: { $in: [...purposes] }, spentAt: null }
      await model.updateMany(living, { $set: { spentAt: new Date(clock.now()) } })
    },
    async forgetAllOf(userId) {
      await model.deleteMany({ userId })
    }
  }
}

function sentLink(found: CodeDocument | null): SentCode {
  if (found === null || found.userId === null) throw linkInvalid()
  return sentCode(found, found.userId)
}

const sentCode = ({ purpose, target, linkHash }: CodeDocument, userId: string): SentCode => ({
  purpose,
  userId,
  target,
  linkHash
})
