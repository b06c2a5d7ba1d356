import { Ellipsis } from 'lucide-react'
import { IconButton, type IconButtonProps } from '#web/ui/icon-button.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'

export function OptionsButton({ name, ...props }: Omit<IconButtonProps, 'label' | 'icon'> & { name: string }) {
  const t = useText()
  return <IconButton {...props} label={t('switch.options', { name })} icon={<Ellipsis size={20} />} />
}
