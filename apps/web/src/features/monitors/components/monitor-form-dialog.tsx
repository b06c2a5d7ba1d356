import {
  createMonitor,
  getUser,
  listMonitors,
  monitorPermissions,
  updateMonitor,
  type MonitorRecord
} from '@batti/contracts'
import { CheckField } from '#web/ui/fields/check-field.tsx'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { bodyRules, useChange } from '#web/lib/api/use-change.ts'
import { useCreate } from '#web/lib/api/use-create.ts'
import { beforeChange, changedIn, mergedList } from '#web/lib/form/changed-of.ts'
import { useOpenedFields } from '#web/lib/form/use-opened-fields.ts'
import { useRouteForm } from '#web/lib/form/use-route-form.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useApi } from '#web/lib/services.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'

type MonitorFields = Omit<MonitorRecord, '_id' | 'phone' | 'createdAt'> & { phone: string }

/** Creates a monitor, who is invited by e-mail, or edits one. */
export function MonitorFormDialog({ monitor, onClose }: { monitor: MonitorRecord | null; onClose: () => void }) {
  const t = useText()
  const api = useApi()
  const create = useCreate(
    useChange(createMonitor, staffViews.monitors),
    async (query) => (await api.call(listMonitors, { query })).monitors,
    ({ email }, { body }) => email === body.email
  )
  const update = useChange(updateMonitor, staffViews.monitors)
  const { opened, tried, sendChanges } = useOpenedFields<MonitorFields>({
    name: monitor?.name ?? '',
    phone: monitor?.phone ?? '',
    email: monitor?.email ?? '',
    permissions: monitor?.permissions ?? []
  })
  /**
   * The call replaces the record: fields not changed here are sent with their current values, not those from opening
   * the form.
   */
  async function replace(id: string, body: MonitorFields) {
    const now = await beforeChange(api.call(getUser, { params: { id } }))
    const merged = mergedList<string>(opened.permissions, body.permissions, now.permissions ?? [])
    const permissions = tried.has('permissions')
      ? body.permissions
      : monitorPermissions.filter((name) => merged.includes(name))
    return sendChanges(body, (changes) =>
      update({ params: { id }, body: { ...changedIn(now, changes, body), permissions } })
    )
  }
  const { field, choice, ...form } = useRouteForm({
    rules: bodyRules(createMonitor),
    initial: opened,
    save: (body) => (monitor === null ? create({ body }) : replace(monitor._id, body)),
    onSaved: onClose,
    done: t(monitor === null ? 'monitors.created' : 'monitors.updated'),
    failed: t('monitors.saveFailed')
  })
  const chosen = choice('permissions')
  const permissions = chosen.value ?? []
  return (
    <FormDialog
      form={form}
      title={t(monitor === null ? 'monitors.add' : 'monitors.edit')}
      {...(monitor === null && { description: t('monitors.invitation'), submitLabel: t('monitors.add') })}
      onClose={onClose}
    >
      <TextField label={t('monitors.name')} {...field('name')} maxLength={100} autoComplete="off" />
      <TextField
        label={t('monitors.phone')}
        {...field('phone')}
        type="tel"
        inputMode="tel"
        placeholder="+9779812345678"
        autoComplete="off"
      />
      <TextField label={t('monitors.email')} {...field('email')} type="email" inputMode="email" autoComplete="off" />
      <fieldset className="grid gap-1">
        <legend className="mb-1.5 text-14 font-medium text-ink-2">{t('monitors.permissions')}</legend>
        <div className="grid sm:grid-cols-2">
          {monitorPermissions.map((name) => (
            <CheckField
              key={name}
              label={t(`permission.${name}`)}
              value={permissions.includes(name)}
              onChange={(isChosen) =>
                chosen.onChange(isChosen ? [...permissions, name] : permissions.filter((other) => other !== name))
              }
            />
          ))}
        </div>
      </fieldset>
    </FormDialog>
  )
}
