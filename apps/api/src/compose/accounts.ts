import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { accessTokenMinutes, refreshTokenDays } from '@batti/contracts'
import type { Router } from 'express'
import type { Connection } from 'mongoose'
import type { Logger } from 'pino'
import type { Actor } from '../platform/people/actor.ts'
import { unauthenticated } from '../platform/app-error.ts'
import type { Clock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import type { EventBus } from '../platform/events.ts'
import { createAccountDirectory } from '../features/accounts/account-directory.service.ts'
import { createAccountModel } from '../features/accounts/account.model.ts'
import { presentAccount } from '../features/accounts/accounts.present.ts'
import { createBcryptThreads } from '../features/accounts/bcrypt-threads.ts'
import { createAdminRoster } from '../features/accounts/admin-roster.ts'
import { createAccountsRepository } from '../features/accounts/accounts.repository.ts'
import { accountRoutes } from '../features/accounts/accounts.routes.ts'
import { createCodeModel } from '../features/accounts/code.model.ts'
import { createCodes } from '../features/accounts/codes.ts'
import { createDeletionService } from '../features/accounts/deletion.service.ts'
import { createFirstAdmin, type FirstAdmin } from '../features/accounts/first-admin.ts'
import { defaultAccountLimits, type AccountLimits } from '../features/accounts/limits.ts'
import { createLoginService } from '../features/accounts/login.service.ts'
import { createPasswords, parseCommonPasswords } from '../features/accounts/password.ts'
import { createProfileService } from '../features/accounts/profile.service.ts'
import { createRegistrationModel } from '../features/accounts/registration.model.ts'
import { createRegistrationService } from '../features/accounts/registration.service.ts'
import { createRegistrationsRepository } from '../features/accounts/registrations.repository.ts'
import { createResetService } from '../features/accounts/reset.service.ts'
import { createSendingLimits } from '../features/accounts/sending-limits.ts'
import { createVerificationService } from '../features/accounts/verification.service.ts'
import { monitorRoutes } from '../features/monitors/monitors.routes.ts'
import { createMonitorsService } from '../features/monitors/monitors.service.ts'
import { createAccessTokens } from '../features/sessions/access-token.ts'
import { createRefreshCookie } from '../features/sessions/refresh-cookie.ts'
import { createRefreshTokens } from '../features/sessions/refresh-token.ts'
import { createSessionModel } from '../features/sessions/session.model.ts'
import { createSessionsRepository } from '../features/sessions/sessions.repository.ts'
import { sessionRoutes } from '../features/sessions/sessions.routes.ts'
import { createSessionsService } from '../features/sessions/sessions.service.ts'
import { userRoutes } from '../features/users/users.routes.ts'
import { createUsersService, type HomeCounts } from '../features/users/users.service.ts'
import type { RouteHandler } from '../platform/http/call.ts'
import { imageUrlOf } from '../platform/http/files-page.ts'
import type { Metrics } from '../platform/http/metrics.ts'
import { createRateLimitModel, createRateLimits } from '../platform/http/rate-limits.ts'
import { limitConcurrency } from '../platform/limit-concurrency.ts'
import type { MailSender } from '../platform/mail/mail.ts'
import type { NoticeFacts, NoticeKind } from '../platform/mail/texts/notices.ts'
import { createSecurityLog } from '../platform/log/security-log.ts'
import type { SmsSender } from '../platform/sms/sms.ts'
import { createServerKeys } from '../platform/store/server-keys.ts'
import { composeMessaging, type Messaging } from './messaging.ts'
import { composePictures, type Pictures } from './pictures.ts'
import { composeRefusals, type Refusals } from './refusals.ts'

export interface AccountsParts {
  config: Config
  connection: Connection
  clock: Clock
  events: EventBus
  log: Logger
  metrics: Metrics
  /** Releases boards and removes rooms, schedules, favourites of an account that is erased; safe to repeat. */
  eraseHomeOf(userId: string): Promise<void>
  /** Boards, schedules and rooms of each account, for the Users table. */
  countHomesOf?: (userIds: readonly string[]) => Promise<Map<string, HomeCounts>>
  /** In place of `defaultAccountLimits`. */
  limits?: Partial<AccountLimits>
  mailSender?: MailSender
  smsSender?: SmsSender
}

/** A person as other features show them. */
export interface PersonSummary {
  _id: string
  name: string
  email: string
  phone: string | null
}

export interface Accounts extends Omit<Pictures, 'page'> {
  handlers: RouteHandler[]
  pages: Router[]
  /** Who a bearer token stands for at this moment; null when it stands for nobody. */
  authenticate(bearer: string | undefined): Promise<Actor | null>
  /** The same for a handshake. @throws AppError UNAUTHENTICATED. */
  authenticateSocket(token: string): Promise<Actor>
  imageUrl(key: string): string
  addressGuard: Refusals['guard']
  isBlocked: Refusals['isBlocked']
  recordRefusal: Refusals['record']
  findOwners(ids: readonly string[]): Promise<Map<string, PersonSummary>>
  /** Ids of people whose name, e-mail or phone contains the text; 100 at most. */
  searchPeople(text: string): Promise<string[]>
  timezoneOf(userId: string): Promise<string | null>
  /** Mails a notice to an account's own address, in its language; in the background. */
  notify(userId: string, kind: NoticeKind, facts?: NoticeFacts): Promise<void>
  /** For the dashboard of staff. */
  countUsers(): Promise<number>
  countMonitors(): Promise<number>
  countUnauthorizedLogs(): Promise<number>
  firstAdmin: FirstAdmin
  /** What a demo would have sent; undefined where there is no outbox. */
  readOutbox: Messaging['readOutbox']
  ensureIndexes(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** Everything about people: accounts, sessions, staff, refusals, their mails and their pictures. */
export function composeAccounts(parts: AccountsParts): Accounts {
  const { config, connection, clock, events, log } = parts
  const limit = { ...defaultAccountLimits, ...parts.limits }
  const models = {
    accounts: createAccountModel(connection),
    sessions: createSessionModel(connection),
    codes: createCodeModel(connection),
    registrations: createRegistrationModel(connection),
    rateLimits: createRateLimitModel(connection)
  }
  const keys = createServerKeys(config.JWT_SECRET, config.JWT_SECRET_PREVIOUS)
  const security = createSecurityLog(log)
  const limits = createRateLimits({ counters: models.rateLimits, clock, keys })
  const messaging = composeMessaging(parts)
  const { mail, sms, messages } = messaging
  const publicUrl = config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`
  const linkTo = (path: string): string => new URL(path, publicUrl).href

  const { page: picturesPage, ...pictures } = composePictures(parts)
  const { storeImage, removeImage } = pictures
  const refusals = composeRefusals({ ...parts, security })
  const accounts = createAccountsRepository(models.accounts)
  const processors = availableParallelism()
  const bcrypt = createBcryptThreads(processors)
  const passwords = createPasswords({
    bcrypt,
    cost: config.BCRYPT_COST,
    common: parseCommonPasswords(readFileSync(resolve(import.meta.dirname, commonPasswordsFile), 'utf8')),
    // As many at a time as there are processors: more would only make every one of them slower.
    run: limitConcurrency(processors)
  })
  const codes = createCodes({ model: models.codes, keys, clock })
  const sending = createSendingLimits({ limits, limit, log })

  const notify = async (userId: string, kind: NoticeKind, facts?: NoticeFacts): Promise<void> => {
    const account = await accounts.findById(userId)
    if (account !== null)
      mail.sendSoon(() => messages.noticeMail(kind, { ...account, email: account.loginEmail }, facts))
  }
  const sessions = createSessionsService({
    sessions: createSessionsRepository(models.sessions),
    accessTokens: createAccessTokens({
      secret: config.JWT_SECRET,
      previousSecret: config.JWT_SECRET_PREVIOUS,
      lifetimeMs: accessTokenMinutes * 60_000
    }),
    refreshTokens: createRefreshTokens(keys),
    async findAccount(userId) {
      const account = await accounts.findById(userId)
      if (account?.deletingAt !== null) return null
      return { userId: account.id, role: account.role, name: account.name, permissions: account.permissions }
    },
    tellOfReuse: (userId, client) =>
      void notify(userId, 'session-stolen', { from: client.ip }).catch((error: unknown) =>
        log.error({ err: error }, 'a notice failed')
      ),
    lifetimeMs: refreshTokenDays * 86_400_000,
    clock,
    events,
    security
  })
  const cookie = createRefreshCookie({
    https: publicUrl.startsWith('https:'),
    ownOrigins: [new URL(publicUrl).origin, ...config.CORS_ORIGINS]
  })

  const shared = {
    admins: createAdminRoster(accounts),
    accounts,
    passwords,
    codes,
    limits,
    limit,
    sending,
    mail,
    sms,
    messages,
    linkTo,
    keys,
    clock,
    events,
    security
  }
  const endSessions = sessions.endAllOf
  const logins = createLoginService({ ...shared, startSession: sessions.start, endSession: sessions.endOne })
  const registration = createRegistrationService({
    ...shared,
    registrations: createRegistrationsRepository(models.registrations),
    storeImage,
    removeImage
  })
  const reset = createResetService({ ...shared, findAccount: logins.find, endSessions })
  const profile = createProfileService({ ...shared, storeImage, removeImage, endSessions })
  const verification = createVerificationService(shared)
  const deletion = createDeletionService({ ...shared, endSessions, eraseHomeOf: parts.eraseHomeOf, removeImage })
  const directory = createAccountDirectory({ ...shared, erase: deletion.erase, invite: reset.invite })
  const firstAdmin = createFirstAdmin(shared)

  return {
    handlers: [
      ...accountRoutes({
        registration,
        logins,
        reset,
        profile,
        verification,
        deletion,
        cookie,
        imageUrl: imageUrlOf
      }),
      ...sessionRoutes({ sessions, cookie }),
      ...userRoutes({
        users: createUsersService({
          directory,
          present: (account) => presentAccount(account, imageUrlOf),
          countHomesOf: parts.countHomesOf ?? (() => Promise.resolve(new Map()))
        })
      }),
      ...monitorRoutes({ monitors: createMonitorsService({ directory }) }),
      ...refusals.handlers
    ],
    pages: [picturesPage, ...messaging.pages],
    authenticate: sessions.authenticate,
    async authenticateSocket(token) {
      const actor = await sessions.authenticate(token)
      if (actor === null) throw unauthenticated('Your session has expired. Please log in again.')
      return actor
    },
    ...pictures,
    imageUrl: imageUrlOf,
    addressGuard: refusals.guard,
    isBlocked: refusals.isBlocked,
    recordRefusal: refusals.record,
    async findOwners(ids) {
      const found = await accounts.findManyById(ids)
      return new Map(found.map(({ id, name, email, phone }) => [id, { _id: id, name, email, phone }]))
    },
    async searchPeople(search) {
      return (await accounts.list({ search, skip: 0, limit: 100 })).accounts.map(({ id }) => id)
    },
    timezoneOf: async (userId) => (await accounts.findById(userId))?.timezone ?? null,
    notify,
    countUsers: () => accounts.countByRole('user'),
    countMonitors: () => accounts.countByRole('monitor'),
    countUnauthorizedLogs: refusals.count,
    firstAdmin,
    readOutbox: messaging.readOutbox,
    async ensureIndexes() {
      await Promise.all([refusals.ensureIndexes(), ...Object.values(models).map((model) => model.createIndexes())])
    },
    async start() {
      await Promise.all([refusals.start(), passwords.warmUp()])
      const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = config
      if (email !== undefined && password !== undefined) await firstAdmin.ensure({ email, password })
      await deletion.resume()
    },
    async stop() {
      await refusals.stop()
      await bcrypt.stop()
      messaging.stop()
    }
  }
}

const commonPasswordsFile = '../features/accounts/common-passwords.txt'
