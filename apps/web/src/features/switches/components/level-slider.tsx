import { hasLevel, levelMax } from '@batti/contracts'
import { Slider } from '#web/ui/fields/slider.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { isUnknown, type OutletView } from '#web/lib/live/outlet-view.ts'
import { levelValues } from '#web/features/switches/level-values.ts'

export interface LevelSliderProps {
  view: OutletView
  /** The outlet's name. */
  name: string
  onChange: (level: number) => void
}

/** The level of an outlet that has one and is on; renders nothing for any other, or if the state is unknown. */
export function LevelSlider({ view, name, onChange }: LevelSliderProps) {
  const t = useText()
  const { kind, level, on } = view
  if (level === undefined || !hasLevel(kind) || !on || isUnknown(view)) return null
  return (
    <Slider
      label={t(`switch.level.${kind}`, { name })}
      value={level}
      max={levelMax}
      valueText={(value) => t(`switch.levelValue.${kind}`, levelValues(value))}
      isPending={view.phase === 'pending'}
      onChange={onChange}
    />
  )
}
