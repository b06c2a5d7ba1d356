import type { SessionRecord, UserRecord } from '@batti/contracts'
import type { Audit, AuditSubject } from '../../platform/audit.ts'
import type { Boards } from '../../boards/boards.ts'
import type { AccountDirectory, AccountRecord } from '../../platform/people/account-directory.ts'
import { userRoutes } from './users.routes.ts'
import { createUsersService } from './users.service.ts'

interface UsersDeps {
  accounts: { directory: AccountDirectory; present(account: AccountRecord): UserRecord }
  audit: Audit
  people: { auditSubject(id: string): Promise<AuditSubject | null> }
  sessions: { sessions: { list(of: { userId: string; sessionId: string }): Promise<SessionRecord[]> } }
  boards: Pick<Boards, 'models'>
  rooms: { count(userId: string): Promise<number> }
  schedules?: { countOfUser(userId: string): Promise<number> }
}

/** The table of accounts, for staff. */
export function createUsersFeature({ audit, people, accounts, sessions, boards, rooms, schedules }: UsersDeps) {
  const users = createUsersService({
    ...accounts,
    async sessionsOf(userId) {
      const found = await sessions.sessions.list({ userId, sessionId: '' })
      return found.map(({ current: _current, ...session }) => session)
    },
    async countHomeOf(userId) {
      const [deviceCount, scheduleCount, roomCount] = await Promise.all([
        boards.models.devices.countDocuments({ userId }),
        schedules?.countOfUser(userId) ?? 0,
        rooms.count(userId)
      ])
      return { deviceCount, scheduleCount, roomCount }
    }
  })
  return { routes: userRoutes({ users, audit, find: people.auditSubject }) }
}
