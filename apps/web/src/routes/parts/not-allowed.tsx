import type { MonitorPermission } from '@batti/contracts'
import { KeyRound } from 'lucide-react'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { PageFrame } from '#web/ui/page-frame.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useUser } from '#web/lib/services.ts'
import { useTexts } from '#web/lib/i18n/use-texts.ts'

const permissionLabel = {
  'view users': 'permission.view users',
  'view switches': 'permission.view switches',
  'view devices': 'permission.view devices',
  'view schedules': 'permission.view schedules',
  'view logs': 'permission.view logs',
  'control switches': 'permission.control switches'
} as const satisfies Record<MonitorPermission, string>

/** Shows the person's permissions, the missing one, and who can grant it; nobody can grant a page for admins only. */
export function NotAllowed({ missing }: { missing: MonitorPermission | 'none' }) {
  const t = useText()
  const user = useUser()
  if (!useTexts('staff')) return null
  const has = (user?.permissions ?? []).flatMap((name) =>
    Object.entries(permissionLabel).flatMap(([known, label]) => (known === name ? [t(label)] : []))
  )
  return (
    <PageFrame title={t('permission.title')}>
      <EmptyState
        drawing={<KeyRound size={40} strokeWidth={1.4} />}
        title={
          missing === 'none'
            ? t('permission.adminsOnly')
            : t('permission.missing', { permission: t(permissionLabel[missing]) })
        }
        body={
          <>
            {has.length === 0 ? t('permission.hasNone') : t('permission.has', { list: has.join(', ') })}{' '}
            {t(missing === 'none' ? 'permission.noneLeads' : 'permission.whoGives')}
          </>
        }
        action={<LinkButton to="/monitor/dashboard">{t('permission.back')}</LinkButton>}
      />
    </PageFrame>
  )
}
