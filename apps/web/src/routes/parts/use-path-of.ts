import { mayOpen } from '#web/app/routing/screens.ts'
import { useUser } from '#web/lib/services.ts'

/** Returns paths below the person's own prefix, if the person may open them. */
export function usePathOf() {
  const user = useUser()
  const area = `/${user?.role ?? ''}`
  const pathOf = (page: string): string | null => {
    const path = `${area}/${page}`
    return user !== null && mayOpen(user, path) ? path : null
  }
  return {
    pathOf,
    /** Returns the board's own page, or the list filtered to it. */
    pathOfBoard: ({ _id, deviceMac }: { _id: string; deviceMac: string }): string =>
      pathOf(`devices/${_id}`) ?? `${area}/devices?search=${encodeURIComponent(deviceMac)}`
  }
}
