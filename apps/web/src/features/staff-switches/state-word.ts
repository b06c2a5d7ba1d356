import type { SwitchRecord } from '@batti/contracts'
import type { MessageId } from '#web/i18n/message-id.ts'

/** On or off as its board reports; what a board out of reach last said is nothing that one can know. */
export const stateWord = ({ isOnline, status }: Pick<SwitchRecord, 'isOnline' | 'status'>): MessageId =>
  isOnline ? (status ? 'table.on' : 'table.off') : 'devices.stale'
