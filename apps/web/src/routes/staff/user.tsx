import { deleteUser, type AuditLogRecord, type UserListRecord } from '@batti/contracts'
import { Pencil, Phone, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { useSessionName } from '#web/lib/records/use-session-name.ts'
import { ActionWords } from '#web/features/audit-logs/components/action-words.tsx'
import { AuditViewDialog } from '#web/features/audit-logs/components/audit-view-dialog.tsx'
import { useTargetWords } from '#web/features/audit-logs/use-target-words.ts'
import { useFieldWords } from '#web/features/audit-logs/use-field-words.ts'
import { UserBoards } from '#web/features/user-page/components/user-boards.tsx'
import { UserFacts } from '#web/features/user-page/components/user-facts.tsx'
import { UserRooms, UserSchedules } from '#web/features/user-page/components/user-home.tsx'
import { UserChanges, UserLogs, UserSessions } from '#web/features/user-page/components/user-records.tsx'
import { useAccount, useBoardsOf } from '#web/features/user-page/user-queries.ts'
import { userSentence } from '#web/features/user-page/user-sentence.ts'
import { EditUserDialog } from '#web/features/users/components/user-form-dialog.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { DeleteDialog } from '#web/ui/overlays/delete-dialog.tsx'
import { PageFrame } from '#web/ui/page-frame.tsx'
import { MissingRecord } from '#web/ui/missing-record.tsx'
import { isOfNone, QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { usePathOf } from '#web/routes/parts/use-path-of.ts'
import { useChange } from '#web/lib/api/use-change.ts'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useUser } from '#web/lib/services.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'

/** /admin/users/{id} and /monitor/users/{id}: everything that support needs about a person, if one may see it. */
export function Screen() {
  const t = useText()
  const { id = '' } = useParams()
  const account = useAccount(id)
  const parent = { label: t('users.title'), path: `/${useUser()?.role ?? ''}/users` }
  const known = isOfNone(account.error) ? undefined : account.data
  return (
    <PageFrame
      title={known?.name ?? t('users.view')}
      parent={parent}
      aside={known !== undefined && t(`users.role.${known.role}`)}
      actions={known !== undefined && <Actions user={known} listPath={parent.path} />}
    >
      <QueryView
        query={account}
        failed={t('userPage.failed')}
        missing={<MissingRecord title={t('userPage.notFound')} list={parent} />}
        loading={<Skeleton className="mx-4 h-80 rounded-card sm:mx-6" />}
      >
        {(user) => <Parts key={user._id} user={user} />}
      </QueryView>
    </PageFrame>
  )
}

function Actions({ user, listPath }: { user: UserListRecord; listPath: string }) {
  const t = useText()
  const navigate = useNavigate()
  const me = useUser()
  const remove = useChange(deleteUser, staffViews.users)
  const [opened, setOpened] = useState<'edit' | 'delete' | null>(null)
  const close = () => setOpened(null)
  return (
    <>
      {user.phone !== null && (
        <a href={`tel:${user.phone}`} className={cn(buttonClass({ variant: 'quiet' }), 'text-14 font-medium')}>
          <Phone aria-hidden="true" size={18} />
          {t('userPage.call')}
        </a>
      )}
      {me?.role === 'admin' && (
        <>
          {me._id !== user._id && (
            <Button variant="ghost" onClick={() => setOpened('delete')} className="text-14 font-medium text-danger">
              <Trash2 aria-hidden="true" size={18} />
              {t('table.delete')}
            </Button>
          )}
          <Button onClick={() => setOpened('edit')} className="text-14">
            <Pencil aria-hidden="true" size={18} />
            {t('table.edit')}
          </Button>
        </>
      )}
      {opened === 'edit' && <EditUserDialog user={user} onClose={close} />}
      {opened === 'delete' && (
        <DeleteDialog
          title={t('users.deleteTitle', { name: user.name })}
          body={t('users.deleteBody')}
          remove={async () => {
            // Leaves the page first, as it must not query a deleted person.
            await navigate(listPath)
            await remove({ params: { id: user._id } })
          }}
          done={t('users.deleted')}
          failed={t('users.deleteFailed')}
          onClose={close}
        />
      )}
    </>
  )
}

/** Records on the left, properties on the right; parts without the monitor's permission are left out. */
function Parts({ user }: { user: UserListRecord }) {
  const t = useText()
  const fieldWords = useFieldWords()
  const targetWords = useTargetWords()
  const sessionName = useSessionName()
  const me = useUser()
  const [change, setChange] = useState<AuditLogRecord | null>(null)
  const isAdmin = me?.role === 'admin'
  const { pathOf } = usePathOf()
  const may = (page: string) => pathOf(page) !== null
  const part = { userId: user._id, pathOf }
  return (
    <div className="px-4 sm:px-6">
      <p className="pb-4 text-14 text-ink-2">
        {may('devices') ? <SentenceWithBoards user={user} /> : userSentence(user, null, t)}
      </p>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_minmax(17rem,25rem)]">
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-6">
          {may('devices') && <UserBoards {...part} />}
          {may('logs') && <UserLogs {...part} />}
          {isAdmin && (
            <UserChanges
              {...part}
              renderAction={({ action }) => <ActionWords action={action} />}
              fieldWords={fieldWords}
              targetWords={targetWords}
              onOpen={setChange}
            />
          )}
        </div>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-6">
          <UserFacts user={user} />
          {may('rooms') && <UserRooms {...part} />}
          {may('schedules') && <UserSchedules {...part} />}
          {isAdmin && <UserSessions userId={user._id} nameOf={sessionName} />}
        </div>
      </div>
      {change !== null && <AuditViewDialog log={change} onClose={() => setChange(null)} />}
    </div>
  )
}

function SentenceWithBoards({ user }: { user: UserListRecord }) {
  const t = useText()
  return userSentence(user, useBoardsOf(user._id).data ?? null, t)
}
