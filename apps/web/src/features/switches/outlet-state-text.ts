import { hasLevel } from '@batti/contracts'
import type { MessageId } from '#web/i18n/message-id.ts'
import type { OutletView } from '#web/lib/live/outlet-view.ts'

/** Returns the state text of a card, except "offline since", which needs a time. */
export function outletStateText({ kind, on, phase }: OutletView): MessageId {
  switch (phase) {
    case 'pending':
      if (hasLevel(kind) && on) return `switch.state.level.${kind}`
      return on ? 'switch.pending.on' : 'switch.pending.off'
    case 'no-answer':
      return 'switch.noResponse'
    case 'refused':
      return 'switch.toggleFailed'
    case 'offline':
      return 'devices.offline'
    case 'stale':
      return 'devices.stale'
    case 'idle':
    case 'confirmed':
      if (!on) return 'switch.state.off'
      return hasLevel(kind) ? `switch.state.level.${kind}` : 'switch.state.on'
  }
}
