import { outletOf, type OutletKind } from '@batti/contracts'
import { useState } from 'react'
import type { MessageId } from '#web/i18n/message-id.ts'
import { cardClass } from '#web/ui/card.tsx'
import { OutletWell } from '#web/ui/outlet-well.tsx'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { OutletView } from '#web/lib/live/outlet-view.ts'
import { DuskRoom, type RoomState } from './dusk-room.tsx'

const outlets: readonly { id: keyof RoomState; kind: OutletKind; name: MessageId }[] = [
  { id: 'ceiling', kind: 'switch', name: 'landing.ceiling' },
  { id: 'reading', kind: 'switch', name: 'landing.reading' },
  { id: 'fan', kind: 'fan', name: 'landing.fan' },
  { id: 'kettle', kind: 'socket', name: 'landing.kettle' }
]
const view = (kind: OutletKind, on: boolean): OutletView => ({
  ...outletOf(kind, on, 0),
  index: 0,
  phase: 'idle',
  isLocked: false,
  request: 0
})

/** The product's own switches with a drawn room, to try before there is a board. */
export function TryRoom() {
  const t = useText()
  const [room, setRoom] = useState<RoomState>({ ceiling: false, reading: true, fan: false, kettle: false })
  const lit = Object.values(room).filter(Boolean).length
  return (
    <section aria-labelledby="try" className="rounded-[28px] border border-line bg-card p-3 shadow-float sm:p-4">
      <div className="overflow-hidden rounded-card">
        <DuskRoom room={room} label={t('landing.room', { lit })} />
      </div>
      <h2 id="try" className="px-1 pt-3 pb-2 text-14 font-medium text-ink-2">
        {t('landing.try')}
      </h2>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(max(7rem,40%),100%),1fr))] gap-2">
        {outlets.map(({ id, kind, name }) => (
          <button
            key={id}
            type="button"
            role="switch"
            aria-checked={room[id]}
            onClick={() => setRoom({ ...room, [id]: !room[id] })}
            className={cn(cardClass(room[id]), 'flex min-h-16 items-center gap-3 p-3 text-left hover:border-edge')}
          >
            <OutletWell kind={kind} view={view(kind, room[id])} />
            <span className="min-w-0">
              <span className="block leading-tight font-medium">{t(name)}</span>
              <span className="block text-14 text-ink-2">{t(room[id] ? 'landing.on' : 'landing.off')}</span>
            </span>
          </button>
        ))}
      </div>
    </section>
  )
}
