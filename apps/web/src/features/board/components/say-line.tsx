import type { DeviceRecord } from '@batti/contracts'
import { CircleCheck, CircleMinus, TriangleAlert } from 'lucide-react'
import { useIntl } from 'react-intl'
import { cn } from '#web/lib/cn.ts'
import { clockTime } from '#web/lib/i18n/time-words.ts'
import { signalStrength } from '#web/lib/i18n/signal-words.ts'
import { useText, type Text } from '#web/lib/i18n/use-text.ts'
import { useDeviceUpdate } from '#web/lib/live/device-update.ts'
import { isRestarting } from '#web/lib/live/is-restarting.ts'
import { useLiveDevice } from '#web/lib/live/use-live-device.ts'
import { useServerNow } from '#web/lib/time/use-now.ts'
import { figuresOf, sentenceOf, type SentencePart } from '../support-sentence.ts'
import type { BoardHistory } from '../use-board.ts'

/** The page's first line: a summary that support can say on the phone. */
export function SayLine({ device, data }: { device: DeviceRecord; data: BoardHistory | undefined }) {
  const t = useText()
  const intl = useIntl()
  const figures = data === undefined ? null : figuresOf(data.history, data.known)
  const now = useServerNow()
  const { live } = useLiveDevice(device)
  const { isOnline, onlineChangedAt } = live
  const update = useDeviceUpdate(device.deviceMac, device.firmware)
  const { health } = device
  const isWell = health.reasons.length === 0
  const [Icon, colour] = !isWell
    ? ([TriangleAlert, 'text-warn'] as const)
    : isOnline
      ? ([CircleCheck, 'text-ok'] as const)
      : ([CircleMinus, 'text-ink-3'] as const)
  const parts = sentenceOf(health, figures, isOnline).map((part) =>
    partWords(t, part, (value) => signalStrength(intl, value))
  )
  const since = onlineChangedAt === null ? 'none' : clockTime(intl, onlineChangedAt, now)
  const isOffline = !isOnline && !health.reasons.includes('never-seen')
  return (
    <p className="flex gap-2.5 px-4 pb-5 text-14 sm:px-6">
      <Icon aria-hidden="true" size={18} className={cn('mt-px shrink-0', colour)} />
      <span>
        <span className="font-semibold">
          {isOffline &&
            `${isRestarting(update, live, now) ? t('board.say.restarting') : t('board.say.offline', { time: since })} `}
          {t('board.health', { score: health.score })}
        </span>{' '}
        {parts.join(' ')}
      </span>
    </p>
  )
}

function partWords(t: Text, part: SentencePart, dbmOf: (value: number) => string): string {
  if (part.id === 'board.say.weak') return t(part.id, { rssi: dbmOf(part.values.rssi) })
  return 'values' in part ? t(part.id, part.values) : t(part.id)
}
