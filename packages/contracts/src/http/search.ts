import { z } from 'zod'
import { searchTerm } from './fields.ts'
import { anyStaff, route } from './route.ts'

export const searchAnswer = z.object({
  boards: z.array(
    z.object({
      _id: z.string(),
      deviceMac: z.string(),
      deviceName: z.string(),
      setName: z.string(),
      isOnline: z.boolean(),
      owner: z.object({ _id: z.string(), name: z.string() }).nullable()
    })
  ),
  users: z.array(
    z.object({ _id: z.string(), name: z.string(), email: z.string(), phone: z.string().nullable(), role: z.string() })
  ),
  pages: z.array(z.object({ path: z.string(), title: z.string() }))
})
export type SearchAnswer = z.infer<typeof searchAnswer>

export const searchEverything = route({
  method: 'get',
  path: '/search',
  summary: 'Boards, people and pages, five of each, as far as the permissions go',
  access: anyStaff,
  query: z.object({ q: searchTerm.min(2, 'must be at least 2 characters') }),
  answer: searchAnswer
})
