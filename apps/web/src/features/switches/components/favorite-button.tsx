import type { SwitchRecord } from '@batti/contracts'
import { Heart } from 'lucide-react'
import { IconButton } from '#web/ui/icon-button.tsx'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useSave } from '#web/lib/use-save.ts'
import { useUpdateSwitch } from '#web/features/switches/api/update-switch.ts'
import { switchTitle } from '#web/features/switches/switch-name.ts'

/** The favourite button: shows the new state while the call is pending. */
export function FavoriteButton({ record, className }: { record: SwitchRecord; className?: string }) {
  const t = useText()
  const update = useUpdateSwitch()
  const isFavorite = update.isPending ? !record.isFavorite : record.isFavorite
  const { save } = useSave(update.mutateAsync, { failed: t('switch.favoriteFailed') })
  return (
    <IconButton
      label={t('switch.favorite', { name: switchTitle(t, record) })}
      aria-pressed={isFavorite}
      onClick={() => void save({ id: record._id, isFavorite: !record.isFavorite })}
      icon={<Heart size={18} className={cn(isFavorite && 'fill-current')} />}
      className={cn(isFavorite ? 'text-ink-2' : 'text-ink-3', className)}
    />
  )
}
