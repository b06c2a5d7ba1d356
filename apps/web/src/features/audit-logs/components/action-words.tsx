import type { AuditAction } from '@batti/contracts'
import { useText, type Text } from '#web/lib/i18n/use-text.ts'
import { actionParts } from '#web/features/audit-logs/action-parts.ts'

/** Formats an action by its kind and verb: "user · role changed". */
export function actionWords(t: Text, action: AuditAction): string {
  const { kind, verb } = actionParts(action)
  return t('audit.actionWords', { kind: t(`audit.kind.${kind}`), verb: t(`audit.verb.${verb}`) })
}

export function ActionWords({ action }: { action: AuditAction }) {
  return actionWords(useText(), action)
}
