import type { Boards } from '../../boards/boards.ts'
import type { AccountRecord } from '../../platform/people/account-directory.ts'

/** Who was seen at an address, according to accounts, sessions and boards. */
export interface AddressBook {
  /** Returns the accounts seen at each address in the last 30 days. */
  usersAt(ips: readonly string[]): Promise<Map<string, string[]>>
  /** Whether an admin has an active session at that address. */
  hasAdmin(ip: string): Promise<boolean>
  nameUsers(ids: readonly string[]): Promise<{ _id: string; name: string }[]>
  /** Counts the boards of these accounts, and the boards connected from there. */
  countBoards(ip: string, userIds: readonly string[]): Promise<number>
}

interface AddressBookDeps {
  people: { accounts: { findManyById(ids: readonly string[]): Promise<AccountRecord[]> } }
  sessions: {
    usersAt(ips: readonly string[]): Promise<Map<string, string[]>>
    usersLoggedInAt(ip: string): Promise<string[]>
  }
  boards: Pick<Boards, 'models' | 'connectedFrom'>
}

/** Combines accounts, sessions and boards to tell who was seen at an address. */
export function createAddressBook({ people, sessions, boards }: AddressBookDeps): AddressBook {
  return {
    usersAt: sessions.usersAt,
    async hasAdmin(ip) {
      const found = await people.accounts.findManyById(await sessions.usersLoggedInAt(ip))
      return found.some(({ role }) => role === 'admin')
    },
    async nameUsers(ids) {
      return (await people.accounts.findManyById(ids)).map(({ id, name }) => ({ _id: id, name }))
    },
    async countBoards(ip, userIds) {
      const connected = await boards.connectedFrom(ip)
      return boards.models.devices.countDocuments({ $or: [{ userId: { $in: userIds } }, { _id: { $in: connected } }] })
    }
  }
}
