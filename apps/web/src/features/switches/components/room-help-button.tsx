import type { SwitchRecord } from '@batti/contracts'
import { useState } from 'react'
import { useSwitchFace } from '#web/features/switches/use-switch-face.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { Button } from '#web/ui/button.tsx'
import { OfflineHelp } from './offline-help.tsx'

export interface RoomHelpButtonProps {
  room: string
  /** The room's first lamp. */
  record: SwitchRecord
  /** All lamps are of one board. */
  isOneBoard: boolean
}

/** Opens help for a room in which no board answers; it replaces All OFF. */
export function RoomHelpButton({ room, record, isOneBoard }: RoomHelpButtonProps) {
  const t = useText()
  const { state } = useSwitchFace(record)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="quiet"
        aria-haspopup="dialog"
        aria-label={`${t('switch.whatToDo')}: ${room}`}
        onClick={() => setOpen(true)}
        className="px-3 text-14 font-medium"
      >
        {t('switch.whatToDo')}
      </Button>
      <OfflineHelp
        record={record}
        {...(!isOneBoard && { device: room })}
        since={isOneBoard ? state : t('devices.offline')}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      />
    </>
  )
}
