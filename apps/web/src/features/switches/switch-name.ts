import type { SwitchRecord } from '@batti/contracts'
import { groupBy } from '#web/lib/group-by.ts'
import type { Text } from '#web/lib/i18n/use-text.ts'
import { switchWords } from '#web/lib/records/switch-words.ts'

/** Returns the name given to a switch, or null. The server's default "Switch 3" is translated instead. */
export function givenName({
  switchName,
  switchIndex
}: Pick<SwitchRecord, 'switchName' | 'switchIndex'>): string | null {
  const name = switchName.trim()
  return name === '' || name === `Switch ${switchIndex + 1}` ? null : name
}

/** Returns the given names of a board's switches, by outlet. */
export const givenNames = (records: readonly SwitchRecord[]): Readonly<Record<number, string>> =>
  Object.fromEntries(
    records.flatMap((record) => {
      const name = givenName(record)
      return name === null ? [] : [[record.switchIndex, name] as const]
    })
  )

/** Returns the switches that share their name with another one. */
export function withSharedName(t: Text, records: readonly SwitchRecord[]): ReadonlySet<SwitchRecord> {
  const byName = groupBy(records, (record) => switchTitle(t, record))
  return new Set([...byName.values()].filter(({ length }) => length > 1).flat())
}

/** Returns the name given to a switch, as logs and schedules have it too; else its place on the board: "Switch 3". */
export function switchTitle(t: Text, record: Pick<SwitchRecord, 'switchName' | 'switchIndex'>): string {
  return switchWords(t, givenName(record) ?? `Switch ${record.switchIndex + 1}`)
}
