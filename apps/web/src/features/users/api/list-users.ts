import { listUsers } from '@batti/contracts'
import { useList } from '#web/lib/lists/use-list.ts'

/** Queries all accounts. */
export const useUserList = () =>
  useList({
    name: 'users',
    route: listUsers,
    rows: ({ users }) => users,
    pageSize: 200,
    queryKey: ['users']
  })
