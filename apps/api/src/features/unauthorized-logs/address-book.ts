import type { Boards } from '../../boards/boards.ts'
import type { AccountRecord } from '../../platform/people/account-directory.ts'
import type { AddressBook } from './unauthorized-logs.service.ts'

interface AddressBookDeps {
  people: { accounts: { findManyById(ids: readonly string[]): Promise<AccountRecord[]> } }
  sessions: {
    usersAt(ips: readonly string[]): Promise<Map<string, string[]>>
    usersLoggedInAt(ip: string): Promise<string[]>
  }
  boards: Pick<Boards, 'models' | 'connectedFrom'>
}

/** Who has been seen at an address, as accounts, sessions and boards know it. */
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
