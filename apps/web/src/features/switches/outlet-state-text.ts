import type { MessageId } from '#web/i18n/message-id.ts'
import type { OutletView } from '#web/lib/live/outlet-view.ts'

/** What a card says of its outlet, apart from "offline since", which needs a time. */
export function outletStateText(view: OutletView, isFan: boolean): MessageId {
  switch (view.phase) {
    case 'pending':
      if (isFan && view.on) return 'switch.state.speed'
      return view.on ? 'switch.pending.on' : 'switch.pending.off'
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
      if (!view.on) return 'switch.state.off'
      return isFan ? 'switch.state.speed' : 'switch.state.on'
  }
}
