import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { SpinnerRing } from '#web/ui/spinner-ring.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { pairingSteps, type PairingStep, type StepState } from '#web/features/pairing/pairing-steps.ts'

const circleClass: Record<StepState, string> = {
  done: 'bg-ok text-page',
  now: 'text-accent',
  todo: 'border-[1.5px] border-edge/50',
  failed: 'bg-danger text-page'
}
const icon: Record<StepState, ReactNode> = {
  done: <Check size={16} strokeWidth={2.5} />,
  now: <SpinnerRing className="size-7" />,
  todo: null,
  failed: <X size={16} strokeWidth={2.5} />
}

export interface PairingProgressProps {
  states: Record<PairingStep, StepState>
  /** A second line under a step, such as the code and its remaining time. */
  notes: Partial<Record<PairingStep, ReactNode>>
}

/** The steps of a pairing, each with its live state. */
export function PairingProgress({ states, notes }: PairingProgressProps) {
  const t = useText()
  return (
    <ol aria-live="polite">
      {pairingSteps.map((step) => {
        const state = states[step]
        return (
          <li
            key={step}
            aria-current={state === 'now' ? 'step' : undefined}
            className="group relative flex gap-3.5 pb-5 last:pb-0"
          >
            <span
              aria-hidden="true"
              className="absolute top-8 bottom-1 left-[13px] w-0.5 rounded bg-line group-last:hidden"
            />
            <span
              aria-hidden="true"
              className={cn(
                'grid size-7 shrink-0 place-items-center rounded-full transition-colors duration-240',
                circleClass[state]
              )}
            >
              {icon[state]}
            </span>
            <div className="min-w-0 pt-0.5">
              <p className={cn(state === 'todo' ? 'text-ink-3' : 'font-semibold')}>
                {t(state === 'now' ? `pairing.now.${step}` : `pairing.step.${step}`)}
                {(state === 'done' || state === 'failed') && (
                  <VisuallyHidden>: {t(`pairing.state.${state}`)}</VisuallyHidden>
                )}
              </p>
              {notes[step] !== undefined && <div className="mt-0.5 text-14 text-ink-2">{notes[step]}</div>}
            </div>
          </li>
        )
      })}
    </ol>
  )
}
