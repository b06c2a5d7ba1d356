import { isDuplicateKey } from '../../platform/store/database.ts'
import { addressGroup } from '@batti/kit/address'
import { Types } from 'mongoose'
import type { ListColumns } from '../../platform/store/lists/list-columns.ts'
import type { AccountRecord } from '../../platform/people/account-directory.ts'
import { createAccountLists } from './account-lists.ts'
import { accountOf } from './account-record.ts'
import type { AccountDocument, AccountModel } from './account.model.ts'

export type NewAccountRecord = Omit<AccountRecord, 'id'>
export type AccountUpdate = Partial<NewAccountRecord>

const knownIpsMax = 10
/** Storage operations of accounts; null if absent. */
export function createAccountsRepository(model: AccountModel, columns?: ListColumns) {
  return {
    ...createAccountLists(model),
    async findById(id: string): Promise<AccountRecord | null> {
      return toRecord(await model.findById(id).lean<AccountDocument>())
    },
    async findManyById(ids: readonly string[]): Promise<AccountRecord[]> {
      const documents = await model.find({ _id: { $in: ids } }).lean<AccountDocument[]>()
      return documents.map(accountOf)
    },
    async findByLoginEmail(emailKey: string): Promise<AccountRecord | null> {
      return toRecord(await model.findOne({ loginEmailKey: emailKey, deletingAt: null }).lean<AccountDocument>())
    },
    /** Returns the account that verified the number, else the first one that claimed it. */
    async findByLoginPhone(phone: string): Promise<AccountRecord | null> {
      const claims = await model
        .find({ loginPhone: phone, deletingAt: null })
        .sort({ phoneClaimedAt: 1 })
        .limit(50)
        .lean<AccountDocument[]>()
      return toRecord(claims.find((claim) => claim.loginPhoneVerified) ?? claims[0] ?? null)
    },
    /** Returns the account that had this address before a change, while reset codes still go there. */
    async findByGuard(address: { emailKey: string } | { phone: string }, now: number): Promise<AccountRecord | null> {
      const former =
        'phone' in address ? { 'resetGuard.phone': address.phone } : { 'resetGuard.emailKey': address.emailKey }
      const filter = { ...former, 'resetGuard.until': { $gt: new Date(now) }, deletingAt: null }
      return toRecord(await model.findOne(filter).lean<AccountDocument>())
    },
    async findVerifiedPhone(phone: string): Promise<AccountRecord | null> {
      return toRecord(await model.findOne({ loginPhone: phone, loginPhoneVerified: true }).lean<AccountDocument>())
    },
    /** Causes a conflict between two transactions that would each remove an admin; the one that retries checks again. */
    async claimRoster(): Promise<void> {
      await model.updateMany({ role: 'admin' }, { $inc: { rosterRev: 1 } })
    },
    /** Returns whether the account stays. Makes a transaction that adds something to it conflict with one that deletes it. */
    async claimHome(id: string): Promise<boolean> {
      return (await model.updateOne({ _id: id, deletingAt: null }, { $inc: { homeRev: 1 } })).matchedCount === 1
    },
    /** Returns null when another account logs in with that e-mail. */
    async insert(account: NewAccountRecord): Promise<AccountRecord | null> {
      try {
        const created = await model.create({ ...account, updatedAt: account.createdAt })
        return accountOf(created.toObject())
      } catch (error) {
        if (isDuplicateKey(error)) return null
        throw error
      }
    },
    /** Returns the updated record; null when it is gone; `taken` when one of its addresses belongs to another account. */
    async update(id: string, changes: AccountUpdate, now: number): Promise<AccountRecord | null | 'taken'> {
      try {
        const updated = await model
          .findOneAndUpdate(
            { _id: id, deletingAt: null },
            { $set: { ...changes, updatedAt: new Date(now) } },
            { returnDocument: 'after', runValidators: true }
          )
          .lean<AccountDocument>()
        if (['name', 'email', 'phone'].some((field) => field in changes)) await columns?.boardsChanged({ userId: id })
        return toRecord(updated)
      } catch (error) {
        if (isDuplicateKey(error)) return 'taken'
        throw error
      }
    },
    /** Replaces the hash that was compared; returns false if it has changed meanwhile. */
    async replacePassword(
      id: string,
      { from, to }: { from: string | null; to: string },
      now: number
    ): Promise<boolean> {
      const { matchedCount } = await model.updateOne(
        { _id: id, passwordHash: from, deletingAt: null },
        { $set: { passwordHash: to, updatedAt: new Date(now) } }
      )
      return matchedCount === 1
    },
    /** Replaces the picture and returns the previous key; null when the account is gone. */
    async replaceImage(id: string, key: string, now: number): Promise<{ former: string | null } | null> {
      const before = await model
        .findOneAndUpdate(
          { _id: id, deletingAt: null },
          { $set: { imageKey: key, updatedAt: new Date(now) } },
          { returnDocument: 'before' }
        )
        .lean<AccountDocument>()
      return before === null ? null : { former: before.imageKey }
    },
    /** Accounts that a number logs in though they never verified it, but this one. */
    async findPhoneClaims(phone: string, exceptId: string): Promise<AccountRecord[]> {
      const filter = { loginPhone: phone, loginPhoneVerified: false, _id: { $ne: new Types.ObjectId(exceptId) } }
      return (await model.find(filter).lean<AccountDocument[]>()).map(accountOf)
    },
    /** Takes a number away from an account that has not verified it. */
    async releasePhone(phone: string, id: string): Promise<void> {
      const filter = { _id: id, loginPhone: phone, loginPhoneVerified: false }
      const gone = { loginPhone: null, phoneClaimedAt: null }
      await model.updateOne({ ...filter, phone }, { $set: { ...gone, phone: null } })
      await model.updateOne(filter, { $set: gone })
      await columns?.boardsChanged({ userId: id })
    },
    async rememberIp(id: string, address: string): Promise<void> {
      const ip = addressGroup(address)
      // In one step: logins at once must not add it once each, and so remove the other places.
      await model.updateOne(
        { _id: id, knownIps: { $ne: ip } },
        { $push: { knownIps: { $each: [ip], $position: 0, $slice: knownIpsMax } } }
      )
    },
    async listBeingDeleted(): Promise<string[]> {
      const documents = await model.find({ deletingAt: { $ne: null } }, { _id: 1 }).lean()
      return documents.map((document) => String(document._id))
    },
    /** Returns whether there was one to remove. */
    async remove(id: string): Promise<boolean> {
      return (await model.deleteOne({ _id: id })).deletedCount === 1
    }
  }
}
export type AccountsRepository = ReturnType<typeof createAccountsRepository>

const toRecord = (document: AccountDocument | null): AccountRecord | null =>
  document === null ? null : accountOf(document)
