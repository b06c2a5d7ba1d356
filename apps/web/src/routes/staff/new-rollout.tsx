import { createRollout, listRollouts } from '@batti/contracts'
import { Rocket } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { RolloutForm } from '#web/features/rollouts/components/rollout-form.tsx'
import { RolloutPreview, usePreview } from '#web/features/rollouts/components/rollout-preview.tsx'
import { bodyOf, faultsOf } from '#web/features/rollouts/draft.ts'
import { draftFaultWords } from '#web/features/rollouts/rollout-words.ts'
import { useRolloutDraft } from '#web/features/rollouts/use-rollout-draft.ts'
import { useReleasedFiles } from '#web/features/rollouts/use-rollouts.ts'
import { Button } from '#web/ui/button.tsx'
import { PageFrame } from '#web/ui/page-frame.tsx'
import { Section } from '#web/ui/page.tsx'
import { useChange } from '#web/lib/api/use-change.ts'
import { useCreate } from '#web/lib/api/use-create.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useApi, useUser } from '#web/lib/services.ts'
import { useSave } from '#web/lib/use-save.ts'

/** /admin/rollouts/new: `?file=`, and boards by `deviceIds=` or by the filters of the board list. */
export function Screen() {
  const t = useText()
  const navigate = useNavigate()
  const api = useApi()
  const me = useUser()
  const { draft: typed, change, forget } = useRolloutDraft()
  const files = useReleasedFiles().data
  // The box of a file that is not offered, as it was withdrawn meanwhile, is empty: no other name is sent.
  const draft = files?.every(({ filename }) => filename !== typed.fileName) ? { ...typed, fileName: '' } : typed
  const [tries, setTries] = useState(0)
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true], [data-invalid]')?.focus()
  }, [tries])
  const preview = usePreview(draft)
  // The files too: another admin may have withdrawn the chosen one.
  const create = useCreate(
    useChange(createRollout, [...staffViews.rollouts, queryKeys.firmwareFiles]),
    async (query) => (await api.call(listRollouts, { query })).rollouts,
    ({ fileName, createdBy }, { body }) => fileName === body.fileName && createdBy === me?._id
  )
  const starting = useSave(
    async () => {
      const made = await create({ body: bodyOf(draft) })
      forget()
      return made
    },
    {
      done: t('rollouts.started'),
      failed: t('rollouts.startFailed'),
      after: ({ _id }) => void navigate(`/admin/rollouts/${_id}`)
    }
  )
  const faults: Record<string, string> = { ...preview.faults, ...faultsOf(draft) }
  // An empty file field is no error until somebody presses Start.
  const errorOf = (path: string) => {
    const fault = faults[path]
    return fault === undefined || (tries === 0 && path === 'fileName') ? undefined : draftFaultWords(t, fault)
  }
  // The number of another draft would promise something else than Start does.
  const total = preview.isCurrent ? preview.query.data?.total : undefined
  const start = () => {
    setTries(tries + 1)
    if (Object.keys(faults).length === 0) void starting.save()
  }
  return (
    <PageFrame title={t('rollouts.new')} parent={{ label: t('rollouts.title'), path: '/admin/rollouts' }}>
      <div
        ref={form}
        className="grid items-start gap-x-10 gap-y-7 px-4 pb-8 sm:px-6 lg:grid-cols-[minmax(0,1fr)_20rem]"
      >
        {/* What is changed after Start would not be sent. */}
        <div inert={starting.isSaving} className="contents">
          <RolloutForm draft={draft} onChange={change} errorOf={errorOf} />
        </div>
        <Section title={t('rollouts.preview')} className="lg:sticky lg:top-20">
          <RolloutPreview {...preview} />
          <Button
            width="full"
            className="mt-5"
            disabled={total === 0 && !draft.follow}
            isBusy={starting.isSaving}
            onClick={start}
          >
            <Rocket aria-hidden="true" size={18} />
            {total === undefined || total === 0 ? t('rollouts.start') : t('rollouts.startOn', { count: total })}
          </Button>
        </Section>
      </div>
    </PageFrame>
  )
}
