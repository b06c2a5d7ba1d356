import { healthReasons, type DeviceFilter } from '@batti/contracts'
import { Select } from '#web/ui/fields/select.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'

const any = 'any'

/** Filters for the boards; without any, all boards that the file fits. */
export function FilterFields({ filter, onChange }: { filter: DeviceFilter; onChange: (filter: DeviceFilter) => void }) {
  const t = useText()
  const set = (name: keyof DeviceFilter, value: string) => {
    const { [name]: _, ...others } = filter
    onChange(value === '' || value === any ? others : { ...others, [name]: value })
  }
  const text = (name: 'osVersion' | 'hwModel' | 'label' | 'search') => ({
    value: filter[name] ?? '',
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => set(name, event.target.value)
  })
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Select
        label={t('rollouts.filter.status')}
        value={filter.status ?? any}
        choices={[
          { value: any, label: t('rollouts.filter.any') },
          { value: 'online', label: t('devices.online') },
          { value: 'offline', label: t('devices.offline') }
        ]}
        onChange={(value) => set('status', value)}
      />
      <Select
        label={t('rollouts.filter.health')}
        value={filter.health ?? any}
        choices={[
          { value: any, label: t('rollouts.filter.any') },
          ...healthReasons.map((value) => ({ value, label: t(`health.${value}`) }))
        ]}
        onChange={(value) => set('health', value)}
      />
      <TextField label={t('rollouts.filter.osVersion')} placeholder="1.4.2" maxLength={64} {...text('osVersion')} />
      <TextField label={t('rollouts.filter.hwModel')} placeholder="batti-wall-4" maxLength={64} {...text('hwModel')} />
      <TextField label={t('rollouts.filter.label')} placeholder="lab" maxLength={32} {...text('label')} />
      <TextField label={t('rollouts.filter.search')} maxLength={200} {...text('search')} />
    </div>
  )
}
