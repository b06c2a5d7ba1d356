import { countryCodeList, createUser, listUsers, roles, updateUser, type UserListRecord } from '@batti/contracts'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { bodyRules, useChange } from '#web/lib/api/use-change.ts'
import { useCreate } from '#web/lib/api/use-create.ts'
import { useOpenedFields } from '#web/lib/form/use-opened-fields.ts'
import { useRouteForm } from '#web/lib/form/use-route-form.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useApi } from '#web/lib/services.ts'

const countryChoices = countryCodeList.map((code) => ({ value: code, label: code }))

/** Adds an account. */
export function AddUserDialog({ onClose }: { onClose: () => void }) {
  const t = useText()
  const api = useApi()
  const create = useCreate(
    useChange(createUser, staffViews.users),
    async (query) => (await api.call(listUsers, { query })).users,
    ({ email }, { body }) => email === body.email
  )
  const { field, choice, ...form } = useRouteForm({
    rules: bodyRules(createUser),
    initial: { name: '', email: '', phone: '', password: '', countryCode: '+977', role: 'user' },
    save: (body) => create({ body }),
    onSaved: onClose,
    done: t('users.created'),
    failed: t('users.saveFailed')
  })
  const role = choice('role')
  const countryCode = choice('countryCode')
  return (
    <FormDialog form={form} title={t('users.add')} submitLabel={t('users.add')} onClose={onClose}>
      <TextField label={t('users.name')} {...field('name')} maxLength={100} autoComplete="off" />
      <TextField label={t('users.email')} {...field('email')} type="email" inputMode="email" autoComplete="off" />
      <div className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-3">
        <Select
          label={t('users.countryCode')}
          value={countryCode.value ?? '+977'}
          error={countryCode.error}
          choices={countryChoices}
          onChange={countryCode.onChange}
        />
        <TextField label={t('users.phone')} {...field('phone')} type="tel" inputMode="tel" autoComplete="off" />
      </div>
      <PasswordField
        label={t('users.password')}
        {...field('password')}
        hint={t('users.passwordHint')}
        autoComplete="new-password"
      />
      <Select
        label={t('users.role')}
        value={role.value ?? 'user'}
        error={role.error}
        choices={roles.map((value) => ({ value, label: t(`users.role.${value}`) }))}
        onChange={role.onChange}
      />
    </FormDialog>
  )
}

/** Returns the ten digits of a number that is stored with its country code. */
function tenDigitsOf({ phone, countryCode = '' }: UserListRecord): string | undefined {
  if (phone === null) return undefined
  return phone.startsWith(countryCode) ? phone.slice(countryCode.length) : phone.slice(-10)
}

/** Changes an account; a change of role takes effect at once. */
export function EditUserDialog({ user, onClose }: { user: UserListRecord; onClose: () => void }) {
  const t = useText()
  const update = useChange(updateUser, staffViews.users)
  const { opened, sendChanges } = useOpenedFields({
    name: user.name,
    email: user.email,
    role: user.role,
    phone: tenDigitsOf(user)
  })
  const { field, optional, choice, ...form } = useRouteForm({
    rules: bodyRules(updateUser),
    initial: opened,
    save: (body) => sendChanges(body, (changes) => update({ params: { id: user._id }, body: changes })),
    onSaved: onClose,
    done: t('users.updated'),
    failed: t('users.saveFailed')
  })
  const role = choice('role')
  return (
    <FormDialog form={form} title={t('users.edit')} onClose={onClose}>
      <TextField label={t('users.name')} {...field('name')} maxLength={100} autoComplete="off" />
      <TextField label={t('users.email')} {...field('email')} type="email" inputMode="email" autoComplete="off" />
      <TextField label={t('users.phone')} {...optional('phone')} type="tel" inputMode="tel" autoComplete="off" />
      <Select
        label={t('users.role')}
        value={role.value ?? user.role}
        error={role.error}
        choices={roles.map((value) => ({ value, label: t(`users.role.${value}`) }))}
        onChange={role.onChange}
      />
    </FormDialog>
  )
}
