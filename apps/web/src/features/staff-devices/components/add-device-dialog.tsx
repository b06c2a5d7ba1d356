import { createDevice, listDevices, listDeviceTypes } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { RoomSelect } from '#web/ui/fields/room-select.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { ApiError } from '#web/lib/api/api-error.ts'
import { bodyRules, useChange } from '#web/lib/api/use-change.ts'
import { useCreate } from '#web/lib/api/use-create.ts'
import { useRouteForm } from '#web/lib/form/use-route-form.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useApi } from '#web/lib/services.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useRoomsOf } from '#web/features/staff-devices/use-rooms-of.ts'

export interface AddDeviceDialogProps {
  /** Renders the account picker; `set` takes the chosen account. */
  renderOwner: (set: (userId: string) => void, error: string | undefined) => ReactNode
  onClose: () => void
}

/** Adds a board for an account; it comes online once it is set up. Rooms are offered once the owner is known. */
export function AddDeviceDialog({ renderOwner, onClose }: AddDeviceDialogProps) {
  const t = useText()
  const api = useApi()
  const create = useCreate(
    useChange(createDevice, [...staffViews.devices, ...staffViews.users]),
    async (query) => (await api.call(listDevices, { query })).devices,
    ({ deviceMac }, { body }) => deviceMac === body.deviceMac
  )
  const { field, choice, ...form } = useRouteForm({
    rules: bodyRules(createDevice),
    initial: { userId: '', deviceCode: '', hwModel: '', deviceMac: '', roomId: '' },
    save: (body) =>
      create({ body }).catch((error: unknown) => {
        // The board may have been added: the message says so instead of "failed", and the list shows it.
        const isOdd = error instanceof ApiError && error.code === 'UNEXPECTED_ANSWER' && error.status < 400
        throw isOdd ? new ApiError('INTERNAL', t('staffDevices.unexpected'), { status: error.status }) : error
      }),
    onSaved: onClose,
    done: t('staffDevices.added'),
    failed: t('staffDevices.addFailed')
  })
  const owner = choice('userId')
  const code = choice('deviceCode')
  const model = choice('hwModel')
  const room = choice('roomId')
  const mac = field('deviceMac')
  const ownerId = owner.value ?? ''
  const types = useQuery({
    queryKey: ['device-types', 'pick'],
    queryFn: async ({ signal }) => (await api.call(listDeviceTypes, { query: { limit: 500 }, signal })).deviceTypes
  })
  const rooms = useRoomsOf(ownerId)
  // One message for all three fields, as specified.
  const required = (error: string | undefined) => (error === undefined ? undefined : t('staffDevices.allRequired'))
  const typeError = code.value === '' ? required(code.error) : (code.error ?? model.error)
  return (
    <FormDialog form={form} title={t('staffDevices.add')} submitLabel={t('staffDevices.add')} onClose={onClose}>
      {renderOwner((userId) => {
        owner.onChange(userId)
        room.onChange('')
      }, required(owner.error))}
      <Select
        label={t('staffDevices.type')}
        value={types.data?.find((type) => type.deviceCode === code.value && type.hwModel === model.value)?._id ?? ''}
        placeholder={t(types.isPending ? 'common.loading' : 'fleet.choose')}
        hint={types.data?.length === 0 ? t('types.none') : undefined}
        error={types.isError ? t('staffDevices.typesFailed') : typeError}
        choices={(types.data ?? []).map(({ _id, deviceCode, deviceName, hwModel }) => ({
          value: _id,
          label: `${deviceName} · ${deviceCode} · ${hwModel}`
        }))}
        onChange={(id) => {
          const type = types.data?.find(({ _id }) => _id === id)
          code.onChange(type?.deviceCode ?? '')
          model.onChange(type?.hwModel ?? '')
        }}
      />
      <MacField
        {...mac}
        // An invalid MAC has a message of its own.
        error={choice('deviceMac').value === '' ? required(mac.error) : mac.error}
      />
      {ownerId !== '' && (
        <RoomSelect
          label={t('staffDevices.room')}
          aside={t('common.optional')}
          value={room.value ?? ''}
          error={rooms.isError ? t('staffDevices.roomsFailed') : room.error}
          rooms={rooms.data ?? []}
          onChange={room.onChange}
        />
      )}
    </FormDialog>
  )
}

function MacField({ error, ...input }: React.ComponentProps<'input'> & { error: string | undefined }) {
  const t = useText()
  return (
    <TextField
      {...input}
      label={t('staffDevices.mac')}
      error={error}
      hint={t('staffDevices.macHint')}
      placeholder="34:98:7A:0C:51:E2"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
    />
  )
}
