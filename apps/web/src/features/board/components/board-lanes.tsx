import { weakSignalDbm } from '@batti/contracts'
import { dayMs, minuteMs } from '@batti/kit/durations'
import { useState, type PointerEvent, type ReactNode } from 'react'
import { useIntl, type IntlShape } from 'react-intl'
import { ChartTable } from '#web/ui/charts/chart-table.tsx'
import { PresenceBand } from '#web/ui/charts/presence-band.tsx'
import { spansOf } from '#web/lib/charts/spans.ts'
import { signalStrength } from '#web/lib/i18n/signal-words.ts'
import { clockTime, timeOfDay } from '#web/lib/i18n/time-words.ts'
import { useText, type Text } from '#web/lib/i18n/use-text.ts'
import { placeOf, readAt, signalPath, type Reading } from '../lanes.ts'
import { figuresOf } from '../support-sentence.ts'
import type { BoardHistory } from '../use-board.ts'

const low = -100
const high = -40
/** Where the signal is weak, in percent from the top. */
const weakAt = 100 * (1 - (weakSignalDbm - low) / (high - low))
const slotGapMs = 25 * minuteMs
const ticks = [0, 0.25, 0.5, 0.75]

/** The board's history: four lanes on one time axis. A crosshair reads all of them and shows the values above. */
export function BoardLanes({ data, choice }: { data: BoardHistory; choice: ReactNode }) {
  const t = useText()
  const intl = useIntl()
  const { history, window, known } = data
  const [at, setAt] = useState<number | null>(null)
  const figures = figuresOf(history, known)
  const nearMs = (window.to - window.from) / 80
  const reading = at === null ? null : readAt(history, at, { window, nearMs })
  const follow = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    setAt(window.from + ((event.clientX - box.left) / Math.max(1, box.width)) * (window.to - window.from))
  }
  const pointed = { at, window, onMove: follow, onLeave: () => setAt(null) }
  const spans = spansOf(history.presence)
  const share = intl.formatNumber(figures.onlineShare, { style: 'percent', maximumFractionDigits: 1 })
  const failed = history.commands.filter(({ result }) => result !== 'confirmed').length
  const names = {
    online: t('board.lane.online', { share }),
    signal:
      figures.medianRssi === null
        ? t('board.lane.noSignal')
        : t('board.lane.signal', { value: signalStrength(intl, figures.medianRssi) }),
    boots: t('board.lane.boots', { count: history.boots.length }),
    commands: t('board.lane.commands', { count: history.commands.length })
  }
  return (
    <section aria-label={t('board.happened')}>
      <header className="mb-2 flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1">
        <h2 className="text-16 font-semibold">{t('board.happened')}</h2>
        <p aria-live="off" className="min-w-0 flex-1 truncate text-right text-14 text-accent">
          {reading !== null && readingWords(t, intl, reading, known.from)}
        </p>
        {choice}
      </header>
      <div className="grid grid-cols-1 gap-y-3 sm:grid-cols-[9.5rem_minmax(0,1fr)] sm:gap-y-4">
        <LaneName name={names.online} more={t('board.lane.disconnects', { count: figures.disconnects })} />
        <Lane {...pointed}>
          <PresenceBand label={names.online} spans={spans} window={window} knownFrom={known.from} />
        </Lane>
        <LaneName name={names.signal} more={t('board.lane.weakFrom', { value: signalStrength(intl, weakSignalDbm) })} />
        <Lane {...pointed}>
          <svg
            role="img"
            aria-label={names.signal}
            viewBox="0 0 1000 100"
            preserveAspectRatio="none"
            className="h-14 w-full overflow-visible"
          >
            <line
              x1="0"
              x2="1000"
              y1={weakAt}
              y2={weakAt}
              className="stroke-edge/70"
              strokeDasharray="4 4"
              vectorEffect="non-scaling-stroke"
            />
            <path
              d={signalPath(history.rssi, window, { low, high, gapMs: slotGapMs })}
              className="fill-none stroke-ink"
              strokeWidth="1.5"
              vectorEffect="non-scaling-stroke"
            />
          </svg>
        </Lane>
        <LaneName name={names.boots} more={lastBoot(t, intl, history.boots.at(-1), window.to)} />
        <Lane {...pointed}>
          <Marks
            label={names.boots}
            places={history.boots.map((boot) => placeOf(Date.parse(boot), window))}
            className="border-x-4 border-b-8 border-x-transparent border-b-ink"
          />
        </Lane>
        <LaneName
          name={names.commands}
          more={history.commands.length === 0 ? '' : t('board.lane.unanswered', { count: failed })}
        />
        <Lane {...pointed}>
          <div role="img" aria-label={names.commands} className="relative h-6 border-b border-line">
            {history.commands.map((command, index) => (
              <span
                key={`${command.at} ${index}`}
                className={
                  command.result === 'confirmed'
                    ? 'absolute bottom-0 h-2.5 w-px bg-edge'
                    : 'absolute bottom-0 h-6 w-0.5 bg-danger'
                }
                style={{ left: `${placeOf(Date.parse(command.at), window) * 100}%` }}
              />
            ))}
          </div>
        </Lane>
        <span className="max-sm:hidden" />
        <Axis window={window} />
      </div>
      <LanesTable data={data} />
    </section>
  )
}

function LaneName({ name, more }: { name: string; more: string }) {
  return (
    <div className="min-w-0 max-sm:flex max-sm:items-baseline max-sm:gap-2">
      <p className="text-14 font-semibold">{name}</p>
      <p className="text-12 text-ink-3">{more}</p>
    </div>
  )
}

interface LaneProps {
  at: number | null
  window: BoardHistory['window']
  onMove: (event: PointerEvent<HTMLElement>) => void
  onLeave: () => void
  children: ReactNode
}

function Lane({ at, window, onMove, onLeave, children }: LaneProps) {
  return (
    <div className="relative touch-pan-y" onPointerMove={onMove} onPointerDown={onMove} onPointerLeave={onLeave}>
      {children}
      {at !== null && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute -inset-y-2 w-px bg-accent"
          style={{ left: `${placeOf(at, window) * 100}%` }}
        />
      )}
    </div>
  )
}

function Marks({ label, places, className }: { label: string; places: readonly number[]; className: string }) {
  return (
    <div role="img" aria-label={label} className="relative h-4">
      {places.map((place, index) => (
        <span
          key={index}
          className={`absolute bottom-0 size-0 -translate-x-1/2 ${className}`}
          style={{ left: `${place * 100}%` }}
        />
      ))}
    </div>
  )
}

function Axis({ window }: { window: BoardHistory['window'] }) {
  const t = useText()
  const intl = useIntl()
  const isLong = window.to - window.from > 2 * dayMs
  const name = (at: number) =>
    isLong ? intl.formatDate(at, { weekday: 'short', day: 'numeric' }) : timeOfDay(intl, at)
  return (
    <div aria-hidden="true" className="flex justify-between text-12 text-ink-3">
      {ticks.map((tick) => (
        <span key={tick}>{name(window.from + tick * (window.to - window.from))}</span>
      ))}
      <span>{t('chart.now')}</span>
    </div>
  )
}

const lastBoot = (t: Text, intl: IntlShape, boot: string | undefined, now: number): string =>
  boot === undefined
    ? t('board.lane.noBoot')
    : t('board.lane.lastBoot', { time: clockTime(intl, Date.parse(boot), now) })

/** "Sat 21, 19:46: offline 18:56 to 20:37, −82 dBm, no answer". */
function readingWords(t: Text, intl: IntlShape, reading: Reading, knownFrom: number): string {
  const time = (at: number) => timeOfDay(intl, at)
  const { since, until } = reading
  const span =
    since !== null && until !== null
      ? t('board.read.fromTo', { from: time(since), to: time(until) })
      : since !== null
        ? t('board.read.since', { time: time(since) })
        : until !== null
          ? t('board.read.until', { time: time(until) })
          : ''
  const parts = [
    reading.at < knownFrom
      ? t('board.read.before')
      : `${t(reading.isOnline ? 'devices.online' : 'devices.offline')} ${span}`.trim(),
    reading.rssi === null ? null : signalStrength(intl, reading.rssi),
    reading.isBoot ? t('board.read.boot') : null,
    reading.command === null ? null : t(`board.result.${reading.command.result}`)
  ]
  const when = intl.formatDate(reading.at, {
    weekday: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23'
  })
  return `${when}: ${parts.filter((part) => part !== null).join(', ')}`
}

function LanesTable({ data }: { data: BoardHistory }) {
  const t = useText()
  const intl = useIntl()
  const { history, window } = data
  const time = (at: string) => clockTime(intl, Date.parse(at), window.to)
  const rows = [
    ...history.presence.map(([from, to]) => ({
      at: from,
      what: t('devices.online'),
      value: t('board.read.fromTo', { from: time(from), to: time(to) })
    })),
    ...history.rssi.map(({ at, value }) => ({
      at,
      what: t('staffDevices.signal'),
      value: signalStrength(intl, value)
    })),
    ...history.boots.map((at) => ({ at, what: t('board.read.boot'), value: '' })),
    ...history.commands.map(({ at, result, ms, by }) => ({
      at,
      what: t(`board.result.${result}`),
      value: [by ?? '', ms === null ? '' : t('board.ms', { ms })].filter((part) => part !== '').join(', ')
    }))
  ].toSorted((a, b) => (a.at < b.at ? 1 : -1))
  return (
    <ChartTable
      heads={[t('board.table.what'), t('board.table.more')]}
      rows={rows.map(({ at, what, value }) => ({ name: time(at), values: [what, value] }))}
    />
  )
}
