import type { Text } from '#web/lib/i18n/use-text.ts'
import { isActionKind } from './action-parts.ts'

/** Formats the kind of a record, "Device type"; an unknown kind keeps its own name. */
export const kindWords = (t: Text, kind: string): string =>
  isActionKind(kind) || kind === 'session' ? t(`audit.kind.${kind}`) : kind
