import { Switch } from '@base-ui/react/switch'
import { cn } from '#web/lib/cn.ts'

export interface ToggleProps {
  isOn: boolean
  onChange: (isOn: boolean) => void
  /** For screen readers; the state is announced automatically. */
  label: string
  /** A command is pending: the new value is already shown, at 70 %, and presses are ignored. */
  isPending?: boolean
  /** The board is offline, so the state is unknown. It can still be pressed, so that a press can explain why. */
  isUnknown?: boolean
  disabled?: boolean
  /** Amber for lamps, the accent colour for settings. */
  tone?: 'lamp' | 'setting'
}

/** An on/off switch: on is a filled track with its thumb at the right, so that colour is not the only sign. */
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

/** The drawing of a toggle, for a control that announces its state itself. */
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
          // Unknown: the thumb is in the middle.
          isFilled ? cn('translate-x-5', thumb) : isUnknown ? 'translate-x-2.5 ring-1 ring-ink-3' : 'bg-ink-2'
        )}
      />
    </span>
  )
}
