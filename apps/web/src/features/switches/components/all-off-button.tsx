import type { DeviceRecord } from '@batti/contracts'
import { useBulkRun } from '#web/features/switches/use-bulk-run.ts'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { buttonClass } from '#web/ui/button.tsx'

/** All OFF of a room, where something in it burns; what a board refuses is told as for one lamp. */
export function AllOffButton({ devices, room }: { devices: readonly DeviceRecord[]; room: string }) {
  const t = useText()
  const run = useBulkRun(devices)
  return (
    <button
      type="button"
      aria-label={`${t('switch.allOff')}: ${room}`}
      disabled={!run.canStart}
      onClick={() => run.start(false)}
      className={cn(buttonClass({ variant: 'quiet' }), 'px-3 text-14 font-medium')}
    >
      {t('switch.allOff')}
    </button>
  )
}
