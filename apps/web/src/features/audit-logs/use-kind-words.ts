import { useText } from '#web/lib/i18n/use-text.ts'
import { isActionKind } from './action-parts.ts'

/** What was changed, "Device type"; a kind that this version does not know, as it stands. */
export function useKindWords(): (kind: string) => string {
  const t = useText()
  return (kind) => (isActionKind(kind) ? t(`audit.kind.${kind}`) : kind)
}
