import { bulkDevices, bulkPreview, type BulkSettings } from '@batti/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { ColourField } from '#web/ui/fields/colour-field.tsx'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { Form } from '#web/ui/fields/form.tsx'
import { RoomSelect, type RoomSelectProps } from '#web/ui/fields/room-select.tsx'
import { SheetClose } from '#web/ui/overlays/sheet-close.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { isGone } from '#web/lib/api/after-write.ts'
import { errorMessage } from '#web/lib/api/api-error.ts'
import { faultsOf } from '#web/lib/form/fault-words.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'
import { useSave } from '#web/lib/use-save.ts'
import { browserZone } from '#web/lib/time/zone-name.ts'
import { bulkSetOf, type BulkDraft, type BulkKind, type BulkTarget } from '#web/features/staff-devices/bulk-change.ts'
import { useRoomsOf } from '#web/features/staff-devices/use-rooms-of.ts'
import { useSendBulk } from '#web/features/staff-devices/use-send-bulk.ts'
import { BulkOutcome } from './bulk-outcome.tsx'

export interface BulkDialogProps {
  kind: BulkKind
  target: BulkTarget
  /** The common owner of the boards, whose rooms can be chosen; null if there are several. */
  ownerId: string | null
  /** Returns the path of the page with the change's progress; null if there is no such page. */
  pathOf: (id: string) => string | null
  /** A board of the target no longer exists; the list is being loaded again. */
  onGone: () => void
  onClose: () => void
}

/** Changes one setting of many boards: shows the number before, and the result after. */
export function BulkDialog({ kind, target, ownerId, pathOf, onGone, onClose }: BulkDialogProps) {
  const t = useText()
  const formId = useId()
  const [before] = useState<BulkDraft>({
    room: '',
    colour: 'green',
    zone: browserZone(),
    server: 'api',
    host: '',
    port: ''
  })
  const [draft, setDraft] = useState(before)
  const [made, setMade] = useState<{ id: string; total: number } | null>(null)
  const [faults, setFaults] = useState<Faults>({})
  const set = bulkSetOf(kind, draft)
  const preview = usePreview(target, { timezone: 'UTC' }, { enabled: made === null, onGone })
  const title = t(`boardsBulk.${kind}`)

  const start = useSendBulk()
  const sending = useSave((wanted: BulkSettings) => start({ ...target, set: wanted }), {
    failed: t('boardsBulk.failed'),
    onRefused: (message, error) => {
      const found = faultsOf(t, error)
      setFaults(found)
      // An error shown beside its field needs no toast.
      if (!shownPaths(draft).some((path) => path in found)) notify.error(message, 'bulk')
      preview.askAgain()
    },
    after: setMade
  })
  function send() {
    setFaults({})
    if (set !== null) void sending.save(set)
  }
  if (made !== null) return <BulkOutcome title={title} made={made} path={pathOf(made.id)} onClose={onClose} />
  return (
    <DialogSheet
      isOpen
      onClose={onClose}
      isSaving={sending.isSaving}
      isDirty={JSON.stringify(draft) !== JSON.stringify(before)}
      title={title}
      description={preview.error === null ? preview.words : <span role="alert">{preview.error}</span>}
      footer={
        <>
          <SheetClose />
          {preview.error === null ? (
            <Button
              type="submit"
              form={formId}
              isBusy={sending.isSaving}
              disabled={set === null || preview.total === 0 || preview.total === undefined}
            >
              {t('boardsBulk.change', { count: preview.total ?? 0 })}
            </Button>
          ) : (
            <Button isBusy={preview.isAsking} onClick={preview.askAgain}>
              {t('common.tryAgain')}
            </Button>
          )}
        </>
      }
    >
      <Form
        id={formId}
        isSaving={sending.isSaving}
        className="grid gap-4 py-2"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <BulkFields
          kind={kind}
          draft={draft}
          ownerId={ownerId}
          faults={faults}
          onChange={(changed) => {
            setDraft(changed)
            setFaults({})
          }}
        />
      </Form>
    </DialogSheet>
  )
}

/** The server's errors, by the path of the setting. */
type Faults = Readonly<Partial<Record<string, string>>>

/** The settings whose errors are shown beside their fields. */
const shownPaths = ({ server }: BulkDraft) => [
  'set.activeColor',
  'set.timezone',
  `set.${server}.host`,
  `set.${server}.port`
]

interface FieldsProps {
  kind: BulkKind
  draft: BulkDraft
  ownerId: string | null
  faults: Faults
  onChange: (draft: BulkDraft) => void
}

function BulkFields({ kind, draft, ownerId, faults, onChange }: FieldsProps) {
  const t = useText()
  const set = (changes: Partial<BulkDraft>) => onChange({ ...draft, ...changes })
  if (kind === 'room') return <RoomField ownerId={ownerId} value={draft.room} onChange={(room) => set({ room })} />
  if (kind === 'colour')
    return (
      <ColourField
        label={t('staffDevices.colour')}
        without={['Aqua Blue']}
        value={draft.colour}
        error={faults['set.activeColor']}
        onChange={(colour) => set({ colour })}
      />
    )
  if (kind === 'zone')
    return (
      <TextField
        label={t('staffDevices.zone')}
        hint={t('boardsBulk.zoneHint')}
        value={draft.zone}
        error={faults['set.timezone']}
        maxLength={64}
        autoComplete="off"
        onChange={(event) => set({ zone: event.target.value })}
      />
    )
  return (
    <>
      <Select
        label={t('boardsBulk.serverKind')}
        value={draft.server}
        choices={[
          { value: 'api', label: t('boardsBulk.server.api') },
          { value: 'mqtt', label: t('boardsBulk.server.mqtt') }
        ]}
        onChange={(server) => set({ server })}
      />
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_8rem]">
        <TextField
          label={t('staffDevices.serverUrl')}
          value={draft.host}
          error={faults[`set.${draft.server}.host`]}
          maxLength={253}
          autoComplete="off"
          onChange={(event) => set({ host: event.target.value })}
        />
        <TextField
          label={t('staffDevices.serverPort')}
          value={draft.port}
          error={faults[`set.${draft.server}.port`]}
          maxLength={5}
          autoComplete="off"
          inputMode="numeric"
          onChange={(event) => set({ port: event.target.value })}
        />
      </div>
      <p className="text-14 text-ink-2">{t('boardsBulk.serverHint')}</p>
    </>
  )
}

function RoomField({ ownerId, ...choice }: Pick<RoomSelectProps, 'value' | 'onChange'> & { ownerId: string | null }) {
  const t = useText()
  const rooms = useRoomsOf(ownerId ?? '')
  return (
    <RoomSelect
      {...choice}
      label={t('staffDevices.room')}
      hint={ownerId === null ? t('boardsBulk.roomHint') : undefined}
      error={rooms.isError ? t('staffDevices.roomsFailed') : undefined}
      rooms={rooms.data ?? []}
    />
  )
}

const previewOfBulk = { ...bulkDevices, answer: bulkPreview }

/**
 * Asks how many boards a change would reach, and which are left out; it changes nothing. If a board was deleted
 * meanwhile, the list is loaded again, so that the board is no longer selected.
 */
function usePreview(
  target: BulkTarget,
  set: BulkSettings,
  { enabled, onGone }: { enabled: boolean; onGone: () => void }
) {
  const t = useText()
  const api = useApi()
  const queryClient = useQueryClient()
  const found = useQuery({
    queryKey: ['bulk', 'preview', target],
    queryFn: ({ signal }) =>
      api.call(previewOfBulk, { query: { preview: '1' }, body: { ...target, set }, signal }).catch((error: unknown) => {
        if (isGone(error)) {
          onGone()
          void queryClient.invalidateQueries({ queryKey: queryKeys.devices })
        }
        throw error
      }),
    staleTime: 0,
    enabled
  })
  const { error, isFetching, refetch } = found
  // The number of an earlier change of the same boards may be another.
  const data = found.isFetchedAfterMount ? found.data : undefined
  const busy = (data?.excluded ?? []).reduce((sum, { count }) => sum + count, 0)
  return {
    total: data?.total,
    isAsking: isFetching,
    askAgain: () => void refetch(),
    words:
      data === undefined
        ? t('common.loading')
        : `${t('boardsBulk.reaches', { count: data.total })}${busy === 0 ? '' : ` ${t('boardsBulk.leftOut', { count: busy })}`}`,
    error: error === null ? null : errorMessage(error, t('boardsBulk.failed'))
  }
}
