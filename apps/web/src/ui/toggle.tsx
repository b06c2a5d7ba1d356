import { Switch } from '@base-ui/react/switch'
import { cn } from '#web/lib/cn.ts'

export interface ToggleProps {
  isOn: boolean
  onChange: (isOn: boolean) => void
  /** Said by screen readers; the state follows by itself. */
  label: string
  /** A command is under way: the new value already shows, at 70 %, and presses are not taken. */
  isPending?: boolean
  /** What is switched is out of reach, so nobody knows how it stands. Still pressable, so that a press can say why. */
  isUnknown?: boolean
  disabled?: boolean
  /** Amber for lamps, the accent for settings. */
  tone?: 'lamp' | 'setting'
}

/** An on/off switch: on is a filled track with its thumb at the right, so colour is not the only sign. */
export function Toggle({
  isOn,
  onChange,
  label,
  isPending = false,
  isUnknown = false,
  disabled = false,
  tone = 'lamp'
}: ToggleProps) {
  return (
    <Switch.Root
      checked={isOn && !isUnknown}
      onCheckedChange={onChange}
      readOnly={isPending}
      disabled={disabled}
      aria-label={label}
      aria-busy={isPending || undefined}
      className={cn(
        'group relative -my-1.5 grid h-11 w-14 shrink-0 cursor-pointer place-items-center rounded-full data-disabled:cursor-not-allowed data-disabled:opacity-50',
        isPending && 'cursor-progress opacity-70',
        isUnknown && 'opacity-60'
      )}
    >
      <span
        className={cn(
          'block h-8 w-13 rounded-full border border-edge bg-well transition-colors duration-160',
          isUnknown && 'border-dashed',
          tone === 'lamp'
            ? 'group-data-checked:border-on-edge group-data-checked:bg-on'
            : 'group-data-checked:border-accent group-data-checked:bg-accent'
        )}
      >
        <Switch.Thumb
          className={cn(
            'mt-[3px] ml-[3px] block size-6 rounded-full bg-ink-2 transition-[translate,background-color] duration-160 ease-out data-checked:translate-x-5',
            // Between its two ends: neither on nor off.
            isUnknown && 'translate-x-2.5 bg-transparent ring-1 ring-ink-3',
            tone === 'lamp' ? 'data-checked:bg-on-ink' : 'data-checked:bg-accent-ink'
          )}
        />
      </span>
    </Switch.Root>
  )
}
