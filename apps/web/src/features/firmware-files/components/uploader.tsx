import { usePersonName } from '#web/lib/use-person.ts'

/** Who brought a file; nothing where this person may not know. */
export function Uploader({ id }: { id: string | null }) {
  return usePersonName(id)
}
