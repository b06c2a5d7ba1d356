import type { SessionRecord, UserRecord } from '@batti/contracts'
import type { Audit, AuditSubject } from '../../platform/audit.ts'
import type { Boards } from '../../boards/boards.ts'
import type { AccountDirectory, AccountRecord } from '../../platform/people/account-directory.ts'
import { countByField } from '../../platform/store/lists/count-by-field.ts'
import { userRoutes } from './users.routes.ts'
import { createUsersService } from './users.service.ts'

interface UsersDeps {
  accounts: { directory: AccountDirectory; present(account: AccountRecord): UserRecord }
  audit: Audit
  people: { auditSubject(id: string): Promise<AuditSubject | null> }
  sessions: { sessions: { list(of: { userId: string; sessionId: string }): Promise<SessionRecord[]> } }
  boards: Pick<Boards, 'models'>
  rooms: { countByUser(userIds: readonly string[]): Promise<Map<string, number>> }
  schedules?: { countByUser(userIds: readonly string[]): Promise<Map<string, number>> }
}

/** The table of accounts, for staff. */
export function createUsersFeature({ audit, people, accounts, sessions, boards, rooms, schedules }: UsersDeps) {
  const users = createUsersService({
    ...accounts,
    async sessionsOf(userId) {
      const found = await sessions.sessions.list({ userId, sessionId: '' })
      return found.map(({ current: _current, ...session }) => session)
    },
    async countHomesOf(userIds) {
      const [devices, schedulesOf, roomsOf] = await Promise.all([
        countByField(boards.models.devices, 'userId', userIds),
        schedules?.countByUser(userIds) ?? new Map<string, number>(),
        rooms.countByUser(userIds)
      ])
      return (userId) => ({
        deviceCount: devices.get(userId) ?? 0,
        scheduleCount: schedulesOf.get(userId) ?? 0,
        roomCount: roomsOf.get(userId) ?? 0
      })
    }
  })
  return { routes: userRoutes({ users, audit, find: people.auditSubject }) }
}
