import type { SwitchRecord } from '@batti/contracts'
import type { MessageId } from '#web/i18n/message-id.ts'

/** Returns the state that the board reports; for an offline board it is unknown. */
export const stateWord = ({ isOnline, status }: Pick<SwitchRecord, 'isOnline' | 'status'>): MessageId =>
  isOnline ? (status ? 'table.on' : 'table.off') : 'devices.stale'
