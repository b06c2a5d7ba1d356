import { fetchTransport } from '@batti/client/transport'
import { useQuery } from '@tanstack/react-query'
import { apiDescription } from './description.ts'

/** Queries the OpenAPI description, which is generated from the contracts. */
export function useDescription() {
  return useQuery({
    queryKey: ['api-description'],
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const { status, text } = await fetchTransport({
        method: 'get',
        url: '/docs/openapi.json',
        headers: {},
        body: null,
        signal
      })
      if (status !== 200) throw new Error(`The description was answered with ${status}`)
      return apiDescription.parse(JSON.parse(text))
    }
  })
}
