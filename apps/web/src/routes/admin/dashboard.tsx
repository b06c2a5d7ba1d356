import { useText } from '#web/lib/i18n/use-text.ts'
import { StaffDashboardPage } from '#web/routes/parts/staff-dashboard-page.tsx'

/** /admin/dashboard */
export function Screen() {
  const t = useText()
  return <StaffDashboardPage role="admin" title={t('staff.adminTitle')} />
}
