import { Plus, Trash2 } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { CheckField } from '#web/ui/fields/check-field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { StageDraft } from '../draft.ts'

export interface StageEditorProps {
  stages: readonly StageDraft[]
  onChange: (stages: readonly StageDraft[]) => void
  /** Returns the error of a field, by its path in the call. */
  errorOf: (path: string) => string | undefined
}

/** Moves the focus to the same button of the next stage, or of the last one, before its own is removed. */
function focusNeighbour(button: HTMLElement): void {
  const stage = button.closest('li')
  const other = stage?.nextElementSibling ?? stage?.previousElementSibling
  ;[...(other?.querySelectorAll('button') ?? [])].at(-1)?.focus()
}

/** The stages of a rollout: how many boards each has, how long it is observed, and whether it then asks. */
export function StageEditor({ stages, onChange, errorOf }: StageEditorProps) {
  const t = useText()
  const change = (id: number, fields: Partial<StageDraft>) =>
    onChange(stages.map((stage) => (stage.id === id ? { ...stage, ...fields } : stage)))
  const add = () => {
    const id = Math.max(0, ...stages.map((stage) => stage.id)) + 1
    onChange([...stages, { id, kind: 'percent', size: '100', hold: '', then: 'go' }])
  }
  return (
    <div className="grid gap-3">
      <ol className="grid gap-3">
        {stages.map((stage, index) => (
          <li key={stage.id}>
            <fieldset className="grid grid-cols-2 items-start gap-3 border-t border-line pt-3 sm:grid-cols-[9rem_7rem_8rem_minmax(0,1fr)_auto]">
              <legend className="sr-only">{t('rollouts.stageNumber', { number: index + 1 })}</legend>
              <Select
                label={t('rollouts.stageNumber', { number: index + 1 })}
                value={stage.kind}
                choices={[
                  { value: 'devices', label: t('rollouts.size.devices') },
                  { value: 'percent', label: t('rollouts.size.percent') },
                  { value: 'group', label: t('rollouts.size.group') }
                ]}
                onChange={(kind) =>
                  change(stage.id, { kind, size: kind === 'group' ? 'lab' : kind === 'devices' ? '1' : '100' })
                }
              />
              <TextField
                label={t(`rollouts.size.${stage.kind}`)}
                value={stage.size}
                inputMode={stage.kind === 'group' ? 'text' : 'numeric'}
                maxLength={32}
                autoComplete="off"
                error={errorOf(`stages.${index}.${stage.kind}`) ?? errorOf(`stages.${index}`)}
                onChange={(event) => change(stage.id, { size: event.target.value })}
              />
              <TextField
                label={t('rollouts.holdMinutes')}
                value={stage.hold}
                placeholder="30"
                inputMode="numeric"
                maxLength={5}
                autoComplete="off"
                error={errorOf(`stages.${index}.holdMinutes`)}
                onChange={(event) => change(stage.id, { hold: event.target.value })}
              />
              <div className="sm:pt-7">
                <CheckField
                  label={t('rollouts.askThen')}
                  value={stage.then === 'ask'}
                  onChange={(isAsk) => change(stage.id, { then: isAsk ? 'ask' : 'go' })}
                />
              </div>
              <div className="justify-self-end sm:pt-7">
                <IconButton
                  label={t('rollouts.removeStage', { number: index + 1 })}
                  icon={<Trash2 size={18} />}
                  isLocked={stages.length === 1}
                  onClick={({ currentTarget }) => {
                    focusNeighbour(currentTarget)
                    onChange(stages.filter(({ id }) => id !== stage.id))
                  }}
                />
              </div>
            </fieldset>
          </li>
        ))}
      </ol>
      {errorOf('stages') !== undefined && (
        <p role="alert" tabIndex={-1} data-invalid className="text-14 text-danger">
          {errorOf('stages')}
        </p>
      )}
      <Button variant="quiet" className="justify-self-start text-14" isLocked={stages.length >= 20} onClick={add}>
        <Plus aria-hidden="true" size={18} />
        {t('rollouts.addStage')}
      </Button>
    </div>
  )
}
