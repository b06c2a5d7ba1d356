import { useText } from '../../../lib/i18n/use-text.ts'
import { StaffDashboardPage } from '../../staff-dashboard-page.tsx'

/** /admin/dashboard */
export function Screen() {
  const t = useText()
  return <StaffDashboardPage role="admin" title={t('staff.adminTitle')} />
}
