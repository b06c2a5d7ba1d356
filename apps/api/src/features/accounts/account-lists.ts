import { latinDigits } from '@batti/contracts'
import { Types } from 'mongoose'
import { containsText, orderOf } from '../../platform/paging.ts'
import type { AccountQuery, AccountRecord } from '../../platform/people/account-directory.ts'
import { hasKey, type TextSearch } from '../../platform/store/lists/search-keys.ts'
import { findIds, findSortedPage } from '../../platform/store/lists/sorted-page.ts'
import { searchedFields, type AccountDocument, type AccountModel } from './account.model.ts'
import { accountOf } from './account-record.ts'
import { emailKeyOf } from './email-key.ts'

/** Columns of the users' table that count related records. */
const sortFields: Readonly<Record<string, string>> = {
  deviceCount: 'counts.devices',
  scheduleCount: 'counts.schedules',
  roomCount: 'counts.rooms'
}
/** Accounts that are being deleted, in the same words as the partial index. */
const leaving = { deletingAt: { $gt: new Date(0) } }

/** Lists, searches and counts of accounts, without those that are being deleted. */
export function createAccountLists(model: AccountModel) {
  async function countAll(): Promise<number> {
    const [all, gone] = await Promise.all([model.estimatedDocumentCount(), model.countDocuments(leaving)])
    return all - gone
  }

  return {
    async list({
      role,
      search,
      sort,
      skip,
      limit,
      isUncounted
    }: AccountQuery): Promise<{ accounts: AccountRecord[]; total: number }> {
      const text = search?.trim() ?? ''
      const filter = { deletingAt: null, ...(role === undefined ? {} : { role }) }
      const { rows, total } = await findSortedPage<AccountDocument>(model, filter, {
        order: orderOf(sort, { createdAt: -1 }, sortFields),
        page: { skip, limit },
        search: text === '' ? undefined : searchFor(text),
        countAll: role === undefined ? countAll : undefined,
        isUncounted
      })
      return { accounts: rows.map(accountOf), total }
    },
    /** Returns the ids of people whose name, e-mail or phone contains the text; null if there are too many. */
    async findIdsByText(text: string): Promise<string[] | null> {
      const found = await findIds(model, searchFor(text))
      return found === null ? null : found.map(String)
    },
    /** Counts the whole list, without reading it. */
    count: countAll,
    countByRole: (role: AccountRecord['role']): Promise<number> => model.countDocuments({ role, deletingAt: null })
  }
}

function searchFor(text: string): TextSearch {
  const byId = /^[0-9a-f]{24}$/i.test(text) ? [{ _id: new Types.ObjectId(text) }] : []
  // A phone number is found in any notation: any digits, with spaces, dashes or brackets, with or without country code.
  const number = latinDigits(text)
  const digits = /^[+\d(][\d\s()+./-]{4,}$/.test(number) ? number.replaceAll(/\D/g, '').replace(/^0+/, '') : ''
  const byDigits = digits === '' ? [] : [hasKey('phone', digits)]
  const byPhone = digits === '' ? [] : [{ phone: new RegExp(digits) }]
  const whole = [...byId, ...byFormerAddress(text, digits)]
  return {
    byKeys: [...searchedFields.map((field) => hasKey(field, text)), ...byDigits, ...whole],
    byReading: [...searchedFields.map((field) => ({ [field]: containsText(text) })), ...byPhone, ...whole]
  }
}

/** Matches by a whole address that was changed: it logs in until the new one is verified, and then gets reset codes. */
function byFormerAddress(text: string, digits: string): object[] {
  const emailKey = emailKeyOf(text)
  if (emailKey !== null) return [{ loginEmailKey: emailKey }, { 'resetGuard.emailKey': emailKey }]
  const phone = `+${digits}`
  return digits.length < 10 ? [] : [{ loginPhone: phone }, { 'resetGuard.phone': phone }]
}
