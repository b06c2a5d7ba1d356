import type { SwitchRecord } from '@batti/contracts'
import type { Text } from '#web/lib/i18n/use-text.ts'

/**
 * The name that people gave a switch, or null. The server's own "Switch 3" is none: that is said in the reader's language.
 */
export function givenName({
  switchName,
  switchIndex
}: Pick<SwitchRecord, 'switchName' | 'switchIndex'>): string | null {
  const name = switchName.trim()
  return name === '' || name === `Switch ${switchIndex + 1}` ? null : name
}

/** Those whose name another of them has too. */
export function ofOneName(t: Text, records: readonly SwitchRecord[]): ReadonlySet<SwitchRecord> {
  const byName = Map.groupBy(records, (record) => switchTitle(t, record))
  return new Set([...byName.values()].filter(({ length }) => length > 1).flat())
}

/** The name that people gave a switch, else its place on the board: "Switch 3". */
export function switchTitle(t: Text, record: Pick<SwitchRecord, 'switchName' | 'switchIndex'>): string {
  return givenName(record) ?? t('switch.name', { number: record.switchIndex + 1 })
}
