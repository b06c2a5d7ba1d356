import { usePersonName } from '#web/lib/records/use-person.ts'

/** The name of an account; nothing if this person may not know it. */
export function PersonName({ id }: { id: string | null }) {
  return usePersonName(id)
}
