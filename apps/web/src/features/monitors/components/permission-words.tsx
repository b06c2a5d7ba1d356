import type { MonitorPermission } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { useText } from '#web/lib/i18n/use-text.ts'

/** Lists a monitor's permissions as text. */
export function PermissionWords({ permissions }: { permissions: readonly MonitorPermission[] }) {
  const t = useText()
  const intl = useIntl()
  if (permissions.length === 0) return t('monitors.noPermissions')
  return intl.formatList(
    permissions.map((name) => t(`permission.${name}`)),
    { type: 'unit' }
  )
}
