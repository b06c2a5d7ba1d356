import type { SwitchRecord } from '@batti/contracts'
import { Heart } from 'lucide-react'
import { useRef, useState } from 'react'
import { IconButton } from '#web/ui/icon-button.tsx'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useSave } from '#web/lib/use-save.ts'
import { useUpdateSwitch } from '#web/features/switches/api/update-switch.ts'
import { switchTitle } from '#web/features/switches/switch-name.ts'

/** The favourite button: shows the wanted state while a call is pending. A press meanwhile is sent after it. */
export function FavoriteButton({ record, className }: { record: SwitchRecord; className?: string }) {
  const t = useText()
  const update = useUpdateSwitch()
  const [wanted, setWanted] = useState<boolean | null>(null)
  const latest = useRef(record.isFavorite)
  const isFavorite = wanted ?? record.isFavorite
  const { save } = useSave(
    async () => {
      try {
        let sent: boolean
        do {
          sent = latest.current
          await update.mutateAsync({ id: record._id, isFavorite: sent })
        } while (sent !== latest.current)
      } finally {
        setWanted(null)
      }
    },
    { failed: t('switch.favoriteFailed') }
  )
  function press() {
    latest.current = !isFavorite
    setWanted(latest.current)
    void save()
  }
  return (
    <IconButton
      label={t('switch.favorite', { name: switchTitle(t, record) })}
      aria-pressed={isFavorite}
      onClick={press}
      icon={<Heart size={18} className={cn(isFavorite && 'fill-current')} />}
      className={cn(isFavorite ? 'text-ink-2' : 'text-ink-3', className)}
    />
  )
}
