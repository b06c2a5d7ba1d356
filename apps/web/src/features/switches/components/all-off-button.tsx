import type { DeviceRecord } from '@batti/contracts'
import { useBulkRun } from '#web/features/switches/use-bulk-run.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useFocused } from '#web/lib/use-focused.ts'
import { Button } from '#web/ui/button.tsx'

export interface AllOffButtonProps {
  devices: readonly DeviceRecord[]
  room: string
  /** Something in the room is on. */
  isLit: boolean
}

/**
 * Turns off all lamps of a room. Shown while something is on, and as long as it has the focus; a board's refusal is
 * shown as for one lamp.
 */
export function AllOffButton({ devices, room, isLit }: AllOffButtonProps) {
  const t = useText()
  const run = useBulkRun(devices)
  const { isFocused, watch } = useFocused()
  if (!isLit && !isFocused) return null
  return (
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
  )
}
