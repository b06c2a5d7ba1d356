import type { SwitchRecord } from '@batti/contracts'
import type { Text } from '../../lib/i18n/use-text.ts'

/** The name that people gave a switch, else its place on the board: "Switch 3". */
export function switchTitle(t: Text, { switchName, switchIndex }: Pick<SwitchRecord, 'switchName' | 'switchIndex'>) {
  return switchName.trim() === '' ? t('switch.name', { number: switchIndex + 1 }) : switchName
}
