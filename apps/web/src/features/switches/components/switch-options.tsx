import type { SwitchRecord } from '@batti/contracts'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { IconButton, type IconButtonProps } from '#web/ui/icon-button.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { createPart, usePart } from '#web/lib/use-part.ts'

// Loaded on demand: every card has the button, but few are pressed.
const optionsPopover = createPart(async () => (await import('./switch-options-popover.tsx')).SwitchOptionsPopover)

export interface SwitchOptionsProps {
  deviceId: string
  index: number
  /** The switch's name at the button. */
  name: string
  /** Opens Add Schedule; without it that entry is left out. */
  onAddSchedule?: ((record: SwitchRecord) => void) | undefined
}

/** The button of a switch's options. */
export function SwitchOptions(props: SwitchOptionsProps) {
  const [isWanted, setWanted] = useState(false)
  const popover = usePart(optionsPopover, isWanted, () => setWanted(false))
  if (popover !== null) return popover(props)
  return <OptionsButton name={props.name} aria-haspopup="dialog" onClick={() => setWanted(true)} />
}

export function OptionsButton({ name, ...props }: Omit<IconButtonProps, 'label' | 'icon'> & { name: string }) {
  const t = useText()
  return <IconButton {...props} label={t('switch.options', { name })} icon={<Ellipsis size={20} />} />
}
