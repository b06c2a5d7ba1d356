import { Link } from 'react-router-dom'
import { useText } from '#web/lib/i18n/use-text.ts'
import { switchWords } from '#web/lib/records/switch-words.ts'
import type { OnTime } from '#web/features/on-times/api/list-on-times.ts'

/** A switch's name beside its chart, linked to its page if there is one. */
export function SwitchName({ onTime, linkTo }: { onTime: OnTime; linkTo: ((switchId: string) => string) | undefined }) {
  const t = useText()
  const name = switchWords(t, onTime.switchName)
  if (linkTo === undefined) return name
  return (
    <Link to={linkTo(onTime.switchId)} className="hover:underline">
      {name}
    </Link>
  )
}
