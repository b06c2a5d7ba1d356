import { availableParallelism } from 'node:os'
import type { Role } from '@batti/contracts'
import type { Audit } from '../../platform/audit.ts'
import { createHooks } from '../../platform/feature.ts'
import { imageUrlOf } from '../../platform/http/uploads/files-page.ts'
import type { AccountRecord } from '../../platform/people/account-directory.ts'
import type { Platform } from '../../platform/platform.ts'
import { ensureIndexes } from '../../platform/store/ensure-indexes.ts'
import { createAccountDirectory } from './account-directory.service.ts'
import { presentAccount } from './accounts.present.ts'
import { accountRoutes, type AccountRoutesOptions } from './accounts.routes.ts'
import { createAdminRoster } from './admin-roster.ts'
import { createAuditOf } from './audit-accounts.ts'
import { createBcryptThreads } from './password/bcrypt-threads.ts'
import { createCodeModel } from './codes/code.model.ts'
import { createCodes } from './codes/codes.ts'
import { createDeletionService } from './deletion.service.ts'
import { createFirstAdmin } from './first-admin.ts'
import { defaultAccountLimits, type AccountLimits } from './limits.ts'
import { createLoginService, type StartedSession } from './login.service.ts'
import { createPasswordQueue } from './password/password-queue.ts'
import { readCommonPasswords } from './password/common-passwords.ts'
import { createPasswords } from './password/password.ts'
import type { People } from './people.ts'
import { createProfileService } from './profile.service.ts'
import { createRegistrationModel } from './registration/registration.model.ts'
import type { Client } from '../../platform/people/client.ts'
import { createRegistrationService } from './registration/registration.service.ts'
import { createRegistrationsRepository } from './registration/registrations.repository.ts'
import { createResetService } from './reset.service.ts'
import { createSendingLimits } from './codes/sending-limits.ts'
import { createVerificationService } from './verification.service.ts'

interface AccountsDeps extends Platform {
  audit: Audit
  people: People
  sessions: {
    sessions: {
      start(account: { id: string; role: Role }, client: Client): Promise<StartedSession>
      endOne(session: { id: string; userId: string }): Promise<boolean>
      endAllOf(userId: string): Promise<void>
    }
    cookie: AccountRoutesOptions['cookie']
    forgetVisits(userId: string): Promise<void>
  }
  /** Overrides parts of `defaultAccountLimits`. */
  accountLimits?: Partial<AccountLimits> | undefined
}

/** Sign-up, login, changes of one's own account, and its deletion. */
export function createAccountsFeature(deps: AccountsDeps) {
  const { config, connection, people, log, keys, limits } = deps
  const { sessions, cookie } = deps.sessions
  const { accounts } = people
  const models = { codes: createCodeModel(connection), registrations: createRegistrationModel(connection) }
  const limit = { ...defaultAccountLimits, ...deps.accountLimits }
  const { passwords, stop } = createPasswordHashing(config.BCRYPT_COST)
  const erasing = createHooks<string>()
  erasing.add(deps.sessions.forgetVisits)
  const shared = {
    ...deps,
    admins: createAdminRoster(accounts),
    accounts,
    passwords,
    codes: createCodes({ model: models.codes, keys, clock: deps.clock }),
    limit,
    sending: createSendingLimits({ limits, limit, log }),
    auditOf: createAuditOf(deps.audit, people.auditSubject),
    linkTo: (path: string): string => new URL(path, deps.publicUrl).href,
    endSessions: sessions.endAllOf
  }
  const logins = createLoginService({ ...shared, startSession: sessions.start, endSession: sessions.endOne })
  const registration = createRegistrationService({
    ...shared,
    registrations: createRegistrationsRepository(models.registrations)
  })
  const reset = createResetService({ ...shared, findAccount: logins.find })
  const profile = createProfileService(shared)
  const verification = createVerificationService(shared)
  const deletion = createDeletionService({ ...shared, eraseHomeOf: erasing.run })
  const firstAdmin = createFirstAdmin(shared)

  return {
    routes: accountRoutes({
      registration,
      logins,
      reset,
      profile,
      verification,
      deletion,
      audit: deps.audit,
      auditSubject: people.auditSubject,
      cookie,
      imageUrl: imageUrlOf
    }),
    directory: createAccountDirectory({ ...shared, beginErasure: deletion.begin, invite: reset.invite }),
    present: (account: AccountRecord) => presentAccount(account, imageUrlOf),
    firstAdmin,
    /** Registers how a feature erases what it keeps of an account; the steps may run again after a stop in between. */
    onErase: erasing.add,
    eraseHomeOf: erasing.run,
    indexes: () => ensureIndexes(...Object.values(models)),
    async start() {
      const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = config
      if (email !== undefined && password !== undefined) await firstAdmin.ensure({ email, password })
      await deletion.resume()
    },
    stop
  }
}

function createPasswordHashing(cost: number) {
  const processors = availableParallelism()
  const bcrypt = createBcryptThreads(processors)
  const passwords = createPasswords({
    bcrypt,
    cost,
    common: readCommonPasswords(),
    // As many as there are processors: more would only slow each one down.
    run: createPasswordQueue(processors)
  })
  return { passwords, stop: bcrypt.stop }
}
