import { useState } from 'react'
import { createPart, usePart } from '#web/lib/use-part.ts'
import { OptionsButton } from './options-button.tsx'
import type { SwitchOptionsProps } from './switch-options-popover.tsx'

// Loaded on demand: every card has the button, but few are pressed.
const optionsPopover = createPart(async () => (await import('./switch-options-popover.tsx')).SwitchOptionsPopover)

/** The button of a switch's options. */
export function SwitchOptions(props: SwitchOptionsProps) {
  const [isWanted, setWanted] = useState(false)
  const popover = usePart(optionsPopover, isWanted, () => setWanted(false))
  if (popover !== null) return popover(props)
  return <OptionsButton name={props.name} aria-haspopup="dialog" onClick={() => setWanted(true)} />
}
