import type { ReactNode } from 'react'
import { CheckField } from '#web/ui/fields/check-field.tsx'
import { Section } from '#web/ui/page.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { TimeField } from '#web/ui/fields/time-field.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { RolloutDraft } from '../draft.ts'
import { useReleasedFiles } from '../use-rollouts.ts'
import { FilterFields } from './filter-fields.tsx'
import { StageEditor } from './stage-editor.tsx'

export interface RolloutFormProps {
  draft: RolloutDraft
  onChange: (fields: Partial<RolloutDraft>) => void
  errorOf: (path: string) => string | undefined
}

/** The file, the boards, the stages, the hours, and the limit at which the rollout stops early. */
export function RolloutForm({ draft, onChange, errorOf }: RolloutFormProps) {
  const t = useText()
  return (
    <div className="grid gap-7">
      <FilePart draft={draft} onChange={onChange} errorOf={errorOf} />
      <Section title={t('rollouts.which')}>
        {draft.deviceIds === null ? (
          <>
            <FilterFields filter={draft.filter} onChange={(filter) => onChange({ filter })} />
            <Hinted hint={t('rollouts.followHint')}>
              <CheckField
                label={t('rollouts.follow')}
                value={draft.follow}
                onChange={(follow) => onChange({ follow })}
              />
            </Hinted>
          </>
        ) : (
          <p className="text-14">{t('rollouts.chosenBoards', { count: draft.deviceIds.length })}</p>
        )}
      </Section>
      <Section title={t('rollouts.stages')}>
        <Segmented
          label={t('rollouts.stages')}
          hasHiddenLabel
          className="mb-3 max-w-md"
          value={draft.hasOwnStages ? 'own' : 'usual'}
          choices={[
            { value: 'usual', label: t('rollouts.usualStages') },
            { value: 'own', label: t('rollouts.ownStages') }
          ]}
          onChange={(choice) => onChange({ hasOwnStages: choice === 'own' })}
        />
        {draft.hasOwnStages ? (
          <StageEditor stages={draft.stages} onChange={(stages) => onChange({ stages })} errorOf={errorOf} />
        ) : (
          <p className="text-14 text-ink-2">{t('rollouts.usualHint')}</p>
        )}
      </Section>
      <WhenPart draft={draft} onChange={onChange} errorOf={errorOf} />
      <Section title={t('rollouts.limits')}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={t('rollouts.maxFailure')}
            hint={t('rollouts.maxFailureHint')}
            placeholder="5"
            inputMode="decimal"
            maxLength={5}
            autoComplete="off"
            value={draft.maxFailurePercent}
            error={errorOf('maxFailurePercent')}
            onChange={(event) => onChange({ maxFailurePercent: event.target.value })}
          />
          <TextField
            label={t('rollouts.atOnce')}
            placeholder="10"
            inputMode="numeric"
            maxLength={4}
            autoComplete="off"
            value={draft.atOnce}
            error={errorOf('atOnce')}
            onChange={(event) => onChange({ atOnce: event.target.value })}
          />
        </div>
      </Section>
    </div>
  )
}

function FilePart({ draft, onChange, errorOf }: RolloutFormProps) {
  const t = useText()
  const files = useReleasedFiles()
  const choices = (files.data ?? []).map(({ filename, version, hwModel }) => ({
    value: filename,
    label: `${filename} · ${version} · ${hwModel ?? t('files.anyModel')}`
  }))
  return (
    <Select
      label={t('rollouts.file')}
      value={draft.fileName}
      placeholder={t(files.isPending ? 'common.loading' : 'fleet.choose')}
      hint={files.data?.length === 0 ? t('rollouts.noFiles') : undefined}
      error={files.isError ? t('files.failed') : errorOf('fileName')}
      choices={choices}
      onChange={(fileName) => onChange({ fileName })}
    />
  )
}

function WhenPart({ draft, onChange, errorOf }: RolloutFormProps) {
  const t = useText()
  return (
    <Section title={t('rollouts.whenTitle')}>
      <Segmented
        label={t('rollouts.whenTitle')}
        hasHiddenLabel
        className="max-w-md"
        value={draft.updateWhen}
        choices={[
          { value: 'any', label: t('rollouts.when.any') },
          { value: 'night', label: t('rollouts.when.night') },
          { value: 'idle', label: t('rollouts.when.idle') }
        ]}
        onChange={(updateWhen) => onChange({ updateWhen })}
      />
      <p className="mt-1.5 text-14 text-ink-3">{t(`rollouts.whenHint.${draft.updateWhen}`)}</p>
      <CheckField
        label={t('rollouts.onlyBetween')}
        value={draft.hasHours}
        onChange={(hasHours) => onChange({ hasHours })}
      />
      {draft.hasHours && (
        <div className="grid max-w-md grid-cols-2 gap-4">
          <TimeField
            label={t('rollouts.from')}
            value={draft.from}
            error={errorOf('allowedHours.from')}
            onChange={(from) => onChange({ from })}
          />
          <TimeField
            label={t('rollouts.to')}
            value={draft.to}
            error={errorOf('allowedHours.to')}
            onChange={(to) => onChange({ to })}
          />
        </div>
      )}
    </Section>
  )
}

function Hinted({ hint, children }: { hint: string; children: ReactNode }) {
  return (
    <div className="mt-3">
      {children}
      <p className="text-14 text-ink-3">{hint}</p>
    </div>
  )
}
