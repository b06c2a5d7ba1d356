import { weakSignalDbm } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { signalStrength } from '#web/lib/i18n/signal-words.ts'

/** Four bars from −60 dBm up, one for a weak signal. */
const barsOf = (rssi: number) => (rssi >= -60 ? 4 : rssi >= -70 ? 3 : rssi >= weakSignalDbm ? 2 : 1)

/** A signal strength in dBm, with bars. */
export function SignalBars({ rssi }: { rssi: number }) {
  const intl = useIntl()
  const bars = barsOf(rssi)
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <svg aria-hidden="true" width="16" height="12" viewBox="0 0 16 12" className="shrink-0">
        {[1, 2, 3, 4].map((bar) => (
          <rect
            key={bar}
            x={(bar - 1) * 4}
            y={12 - bar * 3}
            width="3"
            height={bar * 3}
            rx="0.5"
            className={bar <= bars ? 'fill-ink-2' : 'fill-well'}
          />
        ))}
      </svg>
      {signalStrength(intl, rssi)}
    </span>
  )
}
