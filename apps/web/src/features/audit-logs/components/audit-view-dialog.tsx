import type { AuditLogRecord } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { DetailFacts } from '#web/ui/detail-facts.tsx'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { exactTime } from '#web/lib/i18n/time-words.ts'
import { useText, type Text } from '#web/lib/i18n/use-text.ts'
import { useFieldWords } from '#web/features/audit-logs/use-field-words.ts'
import { useTargetWords } from '#web/features/audit-logs/use-target-words.ts'
import { kindWords } from '#web/features/audit-logs/kind-words.ts'
import { ActionWords } from './action-words.tsx'

function shown(t: Text, value: unknown): string {
  if (typeof value === 'boolean') return t(value ? 'table.yes' : 'table.no')
  return value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value)
}

/** One change: who, what, from where, and each field before and after. */
export function AuditViewDialog({ log, onClose }: { log: AuditLogRecord; onClose: () => void }) {
  const t = useText()
  const intl = useIntl()
  const fieldWords = useFieldWords()
  const target = useTargetWords()(log)
  return (
    <DialogSheet
      isOpen
      onClose={onClose}
      width="wide"
      title={target === '' ? kindWords(t, log.target.kind) : target}
      description={<ActionWords action={log.action} />}
    >
      <DetailFacts
        className="py-2"
        facts={[
          { label: t('audit.at'), value: exactTime(intl, Date.parse(log.at)) },
          { label: t('audit.actor'), value: `${log.actor.name} (${t(`audit.role.${log.actor.role}`)})` },
          { label: t('audit.ip'), value: log.ip, isCode: true },
          { label: t('audit.request'), value: log.requestId, isCode: true },
          { label: t('audit.targetId'), value: log.target._id, isCode: true }
        ]}
      />
      {log.changes.length > 0 && (
        <div className="mt-3 overflow-x-auto">
          <table className="w-full text-14">
            <thead>
              <tr className="text-left text-12 text-ink-3">
                <th scope="col" className="py-1.5 pr-4 font-medium">
                  {t('audit.field')}
                </th>
                <th scope="col" className="py-1.5 pr-4 font-medium">
                  {t('audit.before')}
                </th>
                <th scope="col" className="py-1.5 font-medium">
                  {t('audit.after')}
                </th>
              </tr>
            </thead>
            <tbody>
              {log.changes.map(({ field, before, after }) => (
                <tr key={field} className="border-t border-line align-top">
                  <th scope="row" className="py-1.5 pr-4 text-left font-medium">
                    {fieldWords(field)}
                  </th>
                  <td className="py-1.5 pr-4 wrap-anywhere text-ink-2">{shown(t, before)}</td>
                  <td className="py-1.5 wrap-anywhere">{shown(t, after)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </DialogSheet>
  )
}
