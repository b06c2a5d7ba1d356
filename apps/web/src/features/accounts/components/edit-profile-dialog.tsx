import { emailAddress, type UserRecord } from '@batti/contracts'
import { useState, type ChangeEvent, type FormEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { Form } from '#web/ui/fields/form.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { changedOf } from '#web/lib/form/changed-of.ts'
import { faultsOf } from '#web/lib/form/fault-words.ts'
import { useTriedFields } from '#web/lib/form/use-tried-fields.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'
import { useSave } from '#web/lib/use-save.ts'
import { useUpdateAccount, type ProfileChange } from '#web/features/accounts/api/update-account.ts'
import { PictureField } from '#web/ui/fields/picture-field.tsx'

const fields = ['name', 'email', 'phone', 'address'] as const
type Draft = Record<(typeof fields)[number], string>

const draftOf = ({ name, email, phone, address }: UserRecord): Draft => ({
  name,
  email,
  phone: phone ?? '',
  address: address ?? ''
})

/** Edits name, e-mail, phone and picture; name and e-mail are required. */
export function EditProfileDialog({ account, onClose }: { account: UserRecord; onClose: () => void }) {
  const t = useText()
  const [before] = useState(() => draftOf(account))
  const [draft, setDraft] = useState(before)
  const [picture, setPicture] = useState<File | null>(null)
  const [uploaded, setUploaded] = useState(0)
  const [faults, setFaults] = useState<Partial<Record<string, string>>>({})
  const { tried, trying } = useTriedFields()
  const changes = changedOf<Partial<Draft>>(before, draft, tried)
  const isDirty = picture !== null || Object.keys(changes).length > 0

  const change = useUpdateAccount()
  const update = useSave(
    async (input: ProfileChange['input']) => {
      if (!isDirty) return
      await trying(input, () => change.mutateAsync({ input, profileImage: picture, onUploadProgress: setUploaded }))
    },
    {
      done: t('profile.updated'),
      failed: t('profile.updateFailed'),
      id: 'profile',
      onRefused: (message, error) => {
        setFaults(faultsOf(t, error))
        notify.error(message, 'profile')
      }
    }
  )

  async function submit(event: FormEvent) {
    event.preventDefault()
    const found: Partial<Draft> = {}
    if (draft.name.trim() === '') found.name = t('profile.required')
    if (draft.email.trim() === '') found.email = t('profile.required')
    else if (!emailAddress.safeParse(draft.email).success) found.email = t('profile.emailShape')
    setFaults(found)
    if (Object.keys(found).length > 0) return
    if (await update.save(changes)) onClose()
  }
  const field = (name: keyof Draft) => ({
    name,
    label: t(`profile.${name}`),
    value: draft[name],
    error: faults[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      setDraft({ ...draft, [name]: event.target.value })
      setFaults({ ...faults, [name]: undefined })
    }
  })
  return (
    <DialogSheet isOpen onClose={onClose} title={t('profile.edit')} isDirty={isDirty} isSaving={update.isSaving}>
      <Form isSaving={update.isSaving} onSubmit={(event) => void submit(event)} className="grid gap-4 pt-2">
        <PictureField
          file={picture}
          currentUrl={account.profileImage?.url ?? null}
          error={faults['profileImage']}
          onChange={(file) => {
            setPicture(file)
            setFaults({ ...faults, profileImage: undefined })
          }}
        />
        <TextField {...field('name')} required autoComplete="name" maxLength={100} />
        <TextField
          {...field('email')}
          required
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          hint={draft.email !== before.email ? t('profile.emailHint') : undefined}
        />
        <TextField {...field('phone')} type="tel" inputMode="tel" autoComplete="tel" aside={t('common.optional')} />
        <TextField {...field('address')} autoComplete="street-address" maxLength={300} aside={t('common.optional')} />
        {update.isSaving && picture !== null && <Progress value={uploaded} label={t('profile.uploading')} />}
        <Button type="submit" width="full" isBusy={update.isSaving} className="mt-1">
          {t(update.isSaving ? 'common.saving' : 'profile.saveChanges')}
        </Button>
      </Form>
    </DialogSheet>
  )
}
