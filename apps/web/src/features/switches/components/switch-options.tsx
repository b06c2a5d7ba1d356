import type { SwitchRecord } from '@batti/contracts'
import { Ellipsis } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { IconButton, type IconButtonProps } from '#web/ui/icon-button.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'

// Every card has the button, and few are pressed: what it opens is not part of a page's first code.
const SwitchOptionsPopover = lazy(async () => ({
  default: (await import('./switch-options-popover.tsx')).SwitchOptionsPopover
}))

export interface SwitchOptionsProps {
  deviceId: string
  index: number
  /** How the switch is called where the button stands. */
  name: string
  /** Offers Add Schedule; without it that entry is left out. */
  onAddSchedule?: ((record: SwitchRecord) => void) | undefined
}

/** The button of a switch's options. */
export function SwitchOptions(props: SwitchOptionsProps) {
  const [isWanted, setWanted] = useState(false)
  const button = <OptionsButton name={props.name} aria-haspopup="dialog" onClick={() => setWanted(true)} />
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <SwitchOptionsPopover {...props} />
    </Suspense>
  )
}

export function OptionsButton({ name, ...props }: Omit<IconButtonProps, 'label' | 'icon'> & { name: string }) {
  const t = useText()
  return <IconButton {...props} label={t('switch.options', { name })} icon={<Ellipsis size={20} />} />
}
