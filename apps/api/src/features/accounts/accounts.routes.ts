import * as contract from '@batti/contracts'
import type { Audit, AuditSubject } from '../../platform/audit.ts'
import { on, type RouteHandler } from '../../platform/http/call.ts'
import { actingPerson, type AccountRecord } from '../../platform/people/account-directory.ts'
import { presentAccount } from './accounts.present.ts'
import type { DeletionService } from './deletion.service.ts'
import type { LoginService } from './login.service.ts'
import type { ProfileService } from './profile.service.ts'
import type { RegistrationService } from './registration/registration.service.ts'
import type { ResetService } from './reset.service.ts'
import type { VerificationService } from './verification.service.ts'
import type { Request, Response } from 'express'

export interface AccountRoutesOptions {
  registration: RegistrationService
  logins: LoginService
  reset: ResetService
  profile: ProfileService
  verification: VerificationService
  deletion: DeletionService
  audit: Audit
  auditSubject(id: string): Promise<AuditSubject | null>
  cookie: {
    set(req: Request, res: Response, token: { refreshToken: string; expiresAt: number }): void
    clear(res: Response): void
  }
  imageUrl(key: string): string
}

export function accountRoutes(options: AccountRoutesOptions): RouteHandler[] {
  const { registration, logins, reset, profile, verification, deletion, cookie } = options
  const present = (account: AccountRecord) => presentAccount(account, options.imageUrl)

  return [
    on(contract.login, async (call) => {
      const { password, ...identifier } = call.body
      const { account, session } = await logins.login(identifier, password, call)
      cookie.set(call.http.req, call.http.res, session)
      return { accessToken: session.accessToken, refreshToken: session.refreshToken, user: present(account) }
    }),
    on(contract.register, (call) => registration.start({ ...call.body, image: call.file?.decode ?? null }, call)),
    on(contract.verifyRegistration, async (call) => {
      await registration.verify(call.body, call)
      return undefined
    }),
    on(contract.forgotPassword, async (call) => {
      await reset.forgot(call.body, call)
      return undefined
    }),
    on(contract.resetPassword, async (call) => {
      await reset.reset(call.body, call)
      cookie.clear(call.http.res)
      return undefined
    }),
    on(contract.verifyResetToken, async (call) => {
      await reset.checkLink(call.query.token, call)
      return undefined
    }),
    on(contract.getAccount, async (call) => present(await profile.get(call.actor.userId))),
    on(contract.updateAccount, async (call) =>
      present(await profile.update(call.actor.userId, { ...call.body, image: call.file?.decode ?? null }, call))
    ),
    on(contract.changePassword, async (call) => {
      await profile.changePassword(call.actor.userId, call.body.oldPassword, call.body.newPassword, call)
      cookie.clear(call.http.res)
      return undefined
    }),
    on(contract.deleteMyAccount, async (call) => {
      const { userId } = call.actor
      await profile.confirmPassword(await profile.get(userId), call.body.password, 'password', call)
      const write = { action: 'user.delete', kind: 'user', id: userId, find: options.auditSubject } as const
      const erase = await options.audit(call, write, () => deletion.begin(userId, actingPerson(call)))
      await erase()
      cookie.clear(call.http.res)
      return undefined
    }),
    on(contract.requestEmailVerification, async (call) => {
      await verification.requestEmail(call.actor.userId, call)
      return undefined
    }),
    on(contract.verifyEmail, async (call) => {
      await verification.verifyEmail(call.actor.userId, call.body.otp, call)
      return undefined
    }),
    on(contract.verifyEmailLink, async (call) => {
      // Mail scanners check links with HEAD: that must not spend the link.
      if (call.http.req.method !== 'HEAD') await verification.verifyEmailLink(call.query.token, call)
      return undefined
    }),
    on(contract.requestPhoneVerification, async (call) => {
      await verification.requestPhone(call.actor.userId, call)
      return undefined
    }),
    on(contract.verifyPhone, async (call) => {
      await verification.verifyPhone(call.actor.userId, call.body.otp, call)
      return undefined
    }),
    on(contract.verifyPhoneLink, async (call) => {
      if (call.http.req.method !== 'HEAD') await verification.verifyPhoneLink(call.query.token, call)
      return undefined
    })
  ]
}
