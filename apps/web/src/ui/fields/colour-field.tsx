import { boardColours } from '@batti/contracts'
import { useState } from 'react'
import { useText, type Text } from '#web/lib/i18n/use-text.ts'
import { ColourDot } from './colour-dot.tsx'
import { Select } from './select.tsx'
import { TextField } from './text-field.tsx'

const colourNames = [
  'green',
  'blue',
  'red',
  'yellow',
  'violet',
  'Sky Blue',
  'Aqua Blue',
  'white'
] as const satisfies typeof boardColours
const isPreset = (value: string) => boardColours.some((colour) => colour === value)

/** Returns the name of a preset colour; a custom one is shown as it was typed. */
export function colourWords(t: Text, colour: string): string {
  const name = colourNames.find((each) => each === colour)
  return name === undefined ? colour : t(`colour.${name}`)
}

export interface ColourFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  /** Presets that this form does not offer. */
  without?: readonly string[]
}

/** A field for a preset colour, or a custom one as free text: hex or a colour name. */
export function ColourField({ label, value, onChange, error, without = [] }: ColourFieldProps) {
  const t = useText()
  const [isCustom, setCustom] = useState(!isPreset(value))
  return (
    <div className="grid gap-2">
      <Select
        label={label}
        value={isCustom ? 'custom' : value}
        error={isCustom ? undefined : error}
        choices={[
          ...colourNames
            .filter((name) => !without.includes(name) || name === value)
            .map((name) => ({
              value: name as string,
              label: colourWords(t, name),
              mark: <ColourDot colour={name} />
            })),
          { value: 'custom', label: t('colour.custom') }
        ]}
        onChange={(next) => {
          setCustom(next === 'custom')
          if (next !== 'custom') onChange(next)
        }}
      />
      {isCustom && (
        <TextField
          label={t('colour.customLabel')}
          value={isPreset(value) ? '' : value}
          error={error}
          maxLength={64}
          placeholder="#ffb020"
          after={<span className="pr-3">{!isPreset(value) && <ColourDot colour={value} />}</span>}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  )
}
