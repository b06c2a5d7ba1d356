import { getUser } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { useApi, useUser } from '../services.ts'

/** Returns the name of an account by its id; null if this person may not know it, or the id is null. */
export function usePersonName(id: string | null): string | null {
  const api = useApi()
  const user = useUser()
  const mayAsk = user?.role === 'admin' || user?.permissions.includes('view users') === true
  const { data } = useQuery({
    queryKey: ['users', 'by-id', id],
    queryFn: ({ signal }) => api.call(getUser, { params: { id: id ?? '' }, signal }),
    enabled: mayAsk && id !== null && id !== user?._id,
    retry: false
  })
  if (id !== null && id === user?._id) return user.name
  return data?.name ?? null
}
