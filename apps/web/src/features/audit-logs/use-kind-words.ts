import { useText } from '#web/lib/i18n/use-text.ts'
import { isActionKind } from './action-parts.ts'

/** Formats the kind of a record, "Device type"; an unknown kind keeps its own name. */
export function useKindWords(): (kind: string) => string {
  const t = useText()
  return (kind) => (isActionKind(kind) ? t(`audit.kind.${kind}`) : kind)
}
