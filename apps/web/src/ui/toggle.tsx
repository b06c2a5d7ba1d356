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
        'relative -my-1.5 grid h-11 w-14 shrink-0 cursor-pointer place-items-center rounded-full data-disabled:cursor-not-allowed data-disabled:opacity-50',
        isPending && 'cursor-progress opacity-70',
        isUnknown && 'opacity-60'
      )}
    >
      <ToggleTrack isOn={isOn} isUnknown={isUnknown} tone={tone} />
    </Switch.Root>
  )
}

/** The picture of a toggle, for the eye alone: in a control that says its state by itself. */
export function ToggleTrack({
  isOn,
  isUnknown,
  tone = 'lamp',
  className
}: Required<Pick<ToggleProps, 'isOn' | 'isUnknown'>> & Pick<ToggleProps, 'tone'> & { className?: string }) {
  const isFilled = isOn && !isUnknown
  const [track, thumb] =
    tone === 'lamp' ? ['border-on-edge bg-on', 'bg-on-ink'] : ['border-accent bg-accent', 'bg-accent-ink']
  return (
    <span
      aria-hidden="true"
      className={cn(
        'block h-8 w-13 shrink-0 rounded-full border p-[3px] transition-colors duration-160',
        isFilled ? track : 'border-edge bg-well',
        isUnknown && 'border-dashed',
        className
      )}
    >
      <span
        className={cn(
          'block size-6 rounded-full transition-[translate,background-color] duration-160 ease-out',
          // Between its two ends: neither on nor off.
          isFilled ? cn('translate-x-5', thumb) : isUnknown ? 'translate-x-2.5 ring-1 ring-ink-3' : 'bg-ink-2'
        )}
      />
    </span>
  )
}
