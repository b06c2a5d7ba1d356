import { usePersonName } from '#web/lib/use-person.ts'

/** Who it was; nothing where this person may not know. */
export function PersonName({ id }: { id: string | null }) {
  return usePersonName(id)
}
