import type { UserRecord } from '@batti/contracts'
import { ChevronDown, KeyRound, MailCheck, MonitorSmartphone, Smartphone, Trash2, UserPen } from 'lucide-react'
import { useId, useRef, useState, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

/** The profile's dialogs, by their names in the page's address. */
export const profileActions = ['edit', 'change-password', 'verify-email', 'verify-phone', 'delete'] as const
export type ProfileAction = (typeof profileActions)[number]

const itemClass =
  'flex min-h-11 w-full items-center gap-3 rounded-control px-3 text-left transition-colors duration-160 hover:bg-well'

/** The actions on the account. Always open beside the overview; on small screens behind a toggle. */
export function ProfileSideMenu({
  account,
  sessionsPath,
  onChoose
}: {
  account: UserRecord
  sessionsPath: string
  onChoose: (action: ProfileAction) => void
}) {
  const t = useText()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  const action = (name: ProfileAction, icon: ReactNode, label: string, tone = '') => (
    <li>
      <button
        type="button"
        className={cn(itemClass, tone)}
        onClick={() => {
          setOpen(false)
          // On small screens the action is hidden now, so the toggle gets the focus, which the dialog restores on closing.
          toggle.current?.focus()
          onChoose(name)
        }}
      >
        <span className={tone === '' ? 'text-ink-3' : ''}>{icon}</span>
        {label}
      </button>
    </li>
  )
  return (
    <nav
      aria-label={t('profile.menu')}
      className="rounded-card border border-line bg-card p-2 shadow-card lg:sticky lg:top-6 lg:row-span-2"
    >
      <button
        ref={toggle}
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className={cn(itemClass, 'font-medium lg:hidden')}
      >
        <span className="flex-1">{t('profile.menu')}</span>
        <ChevronDown
          aria-hidden="true"
          size={18}
          className={cn('text-ink-3 transition-[rotate] duration-160', isOpen && 'rotate-180')}
        />
      </button>
      <ul id={id} className={cn('gap-0.5', isOpen ? 'grid' : 'hidden lg:grid')}>
        {action('edit', <UserPen size={18} />, t('profile.edit'))}
        {action('change-password', <KeyRound size={18} />, t('profile.changePassword'))}
        {!account.emailVerification && action('verify-email', <MailCheck size={18} />, t('profile.verifyEmail'))}
        {!account.phoneVerification && action('verify-phone', <Smartphone size={18} />, t('profile.verifyPhone'))}
        <li>
          <Link to={sessionsPath} className={itemClass}>
            <MonitorSmartphone size={18} className="text-ink-3" />
            {t('profile.sessions')}
          </Link>
        </li>
        {action('delete', <Trash2 size={18} />, t('profile.delete'), 'text-danger')}
      </ul>
    </nav>
  )
}
