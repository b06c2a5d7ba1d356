import { mayOpen } from '#web/app/routing/screens.ts'
import { useUser } from '#web/lib/services.ts'

/** Paths below the person's own area, as far as they lead somewhere for this person. */
export function usePathOf() {
  const user = useUser()
  const area = `/${user?.role ?? ''}`
  const pathOf = (page: string): string | null => {
    const path = `${area}/${page}`
    return user !== null && mayOpen(user, path) ? path : null
  }
  return {
    pathOf,
    /** A board's own page, else the list where it stands alone. */
    pathOfBoard: ({ _id, deviceMac }: { _id: string; deviceMac: string }): string =>
      pathOf(`devices/${_id}`) ?? `${area}/devices?search=${encodeURIComponent(deviceMac)}`
  }
}
