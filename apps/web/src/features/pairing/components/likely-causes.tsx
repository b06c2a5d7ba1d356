import { useText } from '#web/lib/i18n/use-text.ts'
import type { MessageId } from '#web/i18n/message-id.ts'

/** Likely causes of a failed pairing, most likely first: the password before the board reached the server, the owner after. */
export function LikelyCauses({ hasReached, serverHost }: { hasReached: boolean; serverHost: string }) {
  const t = useText()
  const causes: readonly MessageId[] = hasReached
    ? ['pairing.cause.owner', 'pairing.cause.window']
    : ['pairing.cause.password', 'pairing.cause.band', 'pairing.cause.window', 'pairing.cause.server']
  return (
    <ul className="grid list-disc gap-1.5 pl-5 text-14 text-ink-2">
      {causes.map((id) => (
        <li key={id}>{t(id, { host: serverHost, advanced: t('pairing.advanced') })}</li>
      ))}
    </ul>
  )
}
