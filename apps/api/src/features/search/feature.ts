import { searchEverything, type DeviceRecord, type SearchAnswer } from '@batti/contracts'
import { on } from '../../platform/http/call.ts'
import type { AccountDirectory } from '../../platform/people/account-directory.ts'
import { staffMay, type Actor } from '../../platform/people/actor.ts'
import { findPages } from './staff-pages.ts'

interface SearchDeps {
  accounts: { directory: AccountDirectory }
  devices: {
    list(
      actor: Actor,
      query: { search: string; limit: number },
      options: { isUncounted: boolean }
    ): Promise<{ devices: DeviceRecord[] }>
  }
}

/** Results shown per kind. Further matches are neither counted nor announced. */
const each = 5

/** One search field for boards, people and pages: by name, MAC, phone number or id. */
export function createSearchFeature({ accounts, devices }: SearchDeps) {
  async function boards(actor: Actor, q: string): Promise<SearchAnswer['boards']> {
    if (!staffMay(actor, 'view devices')) return []
    const found = await devices.list(actor, { search: q, limit: each }, { isUncounted: true })
    return found.devices.map(({ _id, deviceMac, deviceName, setName, isOnline, userId }) => ({
      _id,
      deviceMac,
      deviceName,
      setName,
      isOnline,
      owner: userId === null ? null : { _id: userId._id, name: userId.name }
    }))
  }

  async function users(actor: Actor, q: string): Promise<SearchAnswer['users']> {
    if (!staffMay(actor, 'view users')) return []
    const found = await accounts.directory.list({ search: q, skip: 0, limit: each, isUncounted: true })
    return found.accounts.map(({ id, name, email, phone, role }) => ({ _id: id, name, email, phone, role }))
  }

  return {
    routes: [
      on(searchEverything, async ({ actor, query: { q } }) => {
        const [foundBoards, foundUsers] = await Promise.all([boards(actor, q), users(actor, q)])
        return { boards: foundBoards, users: foundUsers, pages: findPages(actor, q, each) }
      })
    ]
  }
}
