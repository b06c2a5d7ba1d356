import type { DeviceRecord } from '@batti/contracts'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useIntl } from 'react-intl'
import { useText, type Text } from '#web/lib/i18n/use-text.ts'
import { figuresOf, sentenceOf, type SentencePart } from '../support-sentence.ts'
import type { BoardHistory } from '../use-board.ts'
import { dbm } from './board-lanes.tsx'

/** The page's first line: what one would say on the phone. */
export function SayLine({ device, data }: { device: DeviceRecord; data: BoardHistory | undefined }) {
  const t = useText()
  const intl = useIntl()
  const figures = data === undefined ? null : figuresOf(data.history, data.known)
  const { health } = device
  const isWell = health.reasons.length === 0
  const Icon = isWell ? CircleCheck : TriangleAlert
  const parts = sentenceOf(health, figures).map((part) => partWords(t, part, (value) => dbm(intl, value)))
  return (
    <p className="flex gap-2.5 px-4 pb-5 text-14 sm:px-6">
      <Icon aria-hidden="true" size={18} className={isWell ? 'mt-px shrink-0 text-ok' : 'mt-px shrink-0 text-warn'} />
      <span>
        <span className="font-semibold">{t('board.health', { score: health.score })}</span> {parts.join(' ')}
      </span>
    </p>
  )
}

function partWords(t: Text, part: SentencePart, dbmOf: (value: number) => string): string {
  // Without a figure of the last hour the reason stands alone.
  if (part.id === 'board.say.weak')
    return part.values.rssi === 0 ? t('board.say.weakPlain') : t(part.id, { rssi: dbmOf(part.values.rssi) })
  return 'values' in part ? t(part.id, part.values) : t(part.id)
}
