import { switchColumns, useSwitchList } from '#web/features/staff-switches/switch-list.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { StaffSwitchesPage } from '#web/routes/parts/staff-switches-page.tsx'

/** /admin/switches and /monitor/switches. */
export function Screen() {
  const t = useText()
  return (
    <StaffSwitchesPage
      title={t('staffSwitches.title')}
      list={useSwitchList()}
      columns={switchColumns}
      words={{
        showing: 'staffSwitches.showing',
        search: t('staffSwitches.search'),
        loading: t('staffSwitches.loading'),
        failed: t('staffSwitches.failed'),
        empty: t('staffSwitches.none')
      }}
    />
  )
}
