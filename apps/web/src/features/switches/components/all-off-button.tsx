import type { DeviceRecord } from '@batti/contracts'
import { useBulkRun } from '#web/features/switches/use-bulk-run.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useFocused } from '#web/features/switches/use-focused.ts'
import { Button } from '#web/ui/button.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'

export interface AllOffButtonProps {
  devices: readonly DeviceRecord[]
  room: string
  /** How many of its lamps burn; null while nobody knows. */
  on: number | null
}

/**
 * Turns off all lamps of a room. Shown while something is on, and as long as it has the focus; a board's refusal is
 * shown as for one lamp.
 */
export function AllOffButton({ devices, room, on }: AllOffButtonProps) {
  const t = useText()
  const isLit = on !== null && on > 0
  const run = useBulkRun(devices)
  const { isFocused, watch } = useFocused()
  if (!isLit && !isFocused) return null
  return (
    <>
      {/* Nobody who only hears the page knows otherwise that it is done. */}
      <VisuallyHidden live="polite">{on === 0 ? `${room}: ${t('rooms.onCount', { count: 0 })}` : ''}</VisuallyHidden>
      <Button
        variant="quiet"
        aria-label={`${t('switch.allOff')}: ${room}`}
        isLocked={!isLit || !run.canStart}
        onClick={() => run.start(false)}
        className="px-3 text-14 font-medium"
        {...watch}
      >
        {t('switch.allOff')}
      </Button>
    </>
  )
}
