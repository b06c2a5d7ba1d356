import { useText } from '#web/lib/i18n/use-text.ts'
import { StaffDashboardPage } from '#web/routes/parts/staff-dashboard-page.tsx'

/** /monitor/dashboard */
export function Screen() {
  const t = useText()
  return <StaffDashboardPage role="monitor" title={t('staff.monitorTitle')} />
}
