import { Link } from 'react-router-dom'
import type { OnTime } from '#web/features/on-times/api/list-on-times.ts'

/** A switch's name beside its chart, linked to its page if there is one. */
export function SwitchName({ onTime, linkTo }: { onTime: OnTime; linkTo: ((switchId: string) => string) | undefined }) {
  if (linkTo === undefined) return onTime.switchName
  return (
    <Link to={linkTo(onTime.switchId)} className="hover:underline">
      {onTime.switchName}
    </Link>
  )
}
