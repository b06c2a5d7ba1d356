import { useText } from '../../../lib/i18n/use-text.ts'
import { StaffDashboardPage } from '../../staff-dashboard-page.tsx'

/** /monitor/dashboard */
export function Screen() {
  const t = useText()
  return <StaffDashboardPage role="monitor" title={t('staff.monitorTitle')} />
}
