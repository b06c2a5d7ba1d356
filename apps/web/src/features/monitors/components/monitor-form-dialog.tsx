import { createMonitor, monitorPermissions, updateMonitor, type MonitorRecord } from '@batti/contracts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { bodyRules, useChange } from '#web/lib/api/use-change.ts'
import { useRouteForm } from '#web/lib/form/use-route-form.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { staffViews } from '#web/lib/staff-views.ts'

/** A new monitor, who is invited by mail; or another name, number, address and permissions of one. */
export function MonitorFormDialog({ monitor, onClose }: { monitor: MonitorRecord | null; onClose: () => void }) {
  const t = useText()
  const create = useChange(createMonitor, staffViews.monitors)
  const update = useChange(updateMonitor, staffViews.monitors)
  const { field, choice, ...form } = useRouteForm({
    rules: bodyRules(createMonitor),
    initial: {
      name: monitor?.name ?? '',
      phone: monitor?.phone ?? '',
      email: monitor?.email ?? '',
      permissions: monitor?.permissions ?? []
    },
    save: (body) => (monitor === null ? create({ body }) : update({ params: { id: monitor._id }, body })),
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
          {monitorPermissions.map((name) => {
            const isChosen = permissions.includes(name)
            const toggle = () =>
              chosen.onChange(isChosen ? permissions.filter((other) => other !== name) : [...permissions, name])
            return (
              <div key={name} className="flex min-h-11 items-center gap-3">
                <Checkbox isChecked={isChosen} onChange={toggle} label={t(`permission.${name}`)} />
                <span aria-hidden="true" onClick={toggle} className="flex-1 cursor-pointer">
                  {t(`permission.${name}`)}
                </span>
              </div>
            )
          })}
        </div>
      </fieldset>
    </FormDialog>
  )
}
