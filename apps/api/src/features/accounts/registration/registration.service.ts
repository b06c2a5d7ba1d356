import type { Client } from '../../../platform/people/client.ts'
import { addressGroup } from '@batti/kit/address'
import { constantTimeEqual } from '@batti/kit/node/constant-time-equal'
import { codeAttempts, codeCooldownMs, codeLifetimeMs, registrationLifetimeMs } from '@batti/contracts'
import { AppError, invalid, tryAgainAfter } from '../../../platform/app-error.ts'
import type { Clock } from '@batti/kit/clock'
import type { DecodePicture } from '../../../platform/http/call.ts'
import type { RateLimits } from '../../../platform/http/limits/rate-limits.ts'
import type { Mail } from '../../../platform/mail/mail.ts'
import type { Messages } from '../../../platform/mail/messages.ts'
import type { Outgoing } from '../../../platform/mail/outgoing.ts'
import type { Language } from '../../../platform/people/account-directory.ts'
import type { SecurityLog } from '../../../platform/log/security-log.ts'
import type { ServerKeys } from '../../../platform/store/server-keys.ts'
import type { AccountsRepository } from '../accounts.repository.ts'
import { hashCode, hashToken, newCode, newLinkToken } from '../codes/codes.ts'
import { createCodeSpender } from '../codes/spend-code.ts'
import { displayEmail, givenEmailKey } from '../email-key.ts'
import type { AccountLimits } from '../limits.ts'
import type { Passwords } from '../password/password.ts'
import { toE164 } from '../phone.ts'
import type { RegistrationsRepository } from './registrations.repository.ts'
import { newAccount } from '../new-account.ts'

export interface SignUp {
  name: string
  email: string
  phone: string
  countryCode: string
  password: string
  address: string
  language?: Language | undefined
  /** The client's own token; otherwise one is created. */
  registrationToken?: string | undefined
  image: DecodePicture | null
}

/** As `codeInvalid`; here a new code means to sign up again, and a typing error can be tried again. */
const signUpCodeInvalid = () =>
  new AppError('CODE_INVALID', 'This code is invalid or has expired. Check its digits, or sign up again.')

export function createRegistrationService(deps: {
  registrations: RegistrationsRepository
  accounts: AccountsRepository
  storeImage(image: Buffer): Promise<string>
  removeImage(key: string): Promise<void>
  passwords: Passwords
  limits: RateLimits
  limit: AccountLimits
  mail: Outgoing<Mail>
  messages: Messages
  keys: ServerKeys
  clock: Clock
  security: SecurityLog
}) {
  const { registrations, accounts, passwords, limits, limit, mail, messages, keys, clock, security } = deps
  const spendCode = createCodeSpender(deps)

  return {
    /**
     * Stores a pending registration and mails its code. The answer is the same whether or not the e-mail has an account.
     * @throws AppError VALIDATION, TOO_MANY_REQUESTS, UNAVAILABLE when no mail can be sent.
     */
    async start(input: SignUp, client: Client): Promise<{ registrationToken: string }> {
      const emailKey = givenEmailKey(input.email)
      const phone = toE164(input.phone, input.countryCode)
      if (phone === null) throw invalid('phone', 'Phone number must be exactly 10 digits.')
      passwords.refuseCommon(input.password, 'password', [input.email, input.phone, input.name])
      await mail.assertReady()
      await limits.consume(limit.registrationsPerIp, client.ip)
      await limits.consume(limit.registrationsPerEmail, emailKey)

      const image = input.image === null ? null : await input.image()
      // Hashed before any lookup, so that the answer takes equally long for an address with an account.
      const passwordHash = await passwords.hash(input.password, { ip: client.ip })
      const account = await accounts.findByLoginEmail(emailKey)
      const [token, code, now] = [input.registrationToken ?? newLinkToken(), newCode(), clock.now()]
      const tokenHash = hashToken(token)
      const email = displayEmail(input.email)
      const language = input.language ?? 'en'
      const digest = keys
        .digest('limit-keys', `client:${addressGroup(client.ip)}:${client.userAgent}`)
        .toString('base64url')
      const outcome = await registrations.put({
        emailKey,
        email,
        name: input.name,
        phone,
        address: input.address,
        language,
        passwordHash,
        image,
        tokenHash,
        codeHash: hashCode(keys, tokenHash, code),
        attempts: 0,
        client: digest,
        createdAt: new Date(now),
        codeExpiresAt: new Date(now + codeLifetimeMs),
        expiresAt: new Date(now + registrationLifetimeMs)
      })
      if (outcome !== 'stored') {
        if (outcome.client === digest) throw tryAgainAfter((outcome.createdAt.getTime() + codeCooldownMs - now) / 1000)
        // A different client: it gets a token that leads nowhere, and no second mail is sent.
        return { registrationToken: token }
      }
      security('registration-started', { ip: client.ip, requestId: client.requestId })
      mail.sendSoon(() =>
        account === null
          ? messages.codeMail('registration', { email, name: input.name, language }, { code })
          : messages.noticeMail('already-registered', { ...account, email: account.loginEmail })
      )
      return { registrationToken: token }
    },

    /** Creates the account. @throws AppError CODE_INVALID. */
    async verify(
      { otp, registrationToken }: { otp: string; registrationToken: string },
      client: Client
    ): Promise<void> {
      const pending = await spendCode(client, 'registration', async () => {
        const tokenHash = hashToken(registrationToken)
        const found = await registrations.countAttempt(tokenHash, clock.now(), codeAttempts)
        const isRight = found !== null && constantTimeEqual(found.codeHash, hashCode(keys, tokenHash, otp))
        if (!isRight) throw signUpCodeInvalid()
        return found
      })
      const imageKey = pending.image === null ? null : await deps.storeImage(bytesOf(pending.image))
      const dropImage = () => (imageKey === null ? Promise.resolve() : deps.removeImage(imageKey))
      const { name, email, emailKey, phone, address, passwordHash, language } = pending
      const record = newAccount({
        name,
        email,
        emailKey,
        loginEmailVerified: true,
        phone,
        address,
        role: 'user',
        passwordHash,
        imageKey,
        language,
        knownIps: [addressGroup(client.ip)],
        createdAt: new Date(clock.now())
      })
      const account = await accounts.insert(record).catch(async (error: unknown) => {
        await dropImage()
        throw error
      })
      // May fail: the account exists, and the registration expires by itself.
      await registrations.remove(pending.id).catch(() => undefined)
      if (account === null) {
        // The same code arrived twice at once, or the address has an account: verified meanwhile, or the code was guessed.
        await dropImage()
        throw signUpCodeInvalid()
      }
      security('registration-completed', { actor: account.id, ip: client.ip, requestId: client.requestId })
    }
  }
}
export type RegistrationService = ReturnType<typeof createRegistrationService>

/** Lean queries return the driver's own Binary for bytes. */
function bytesOf(image: Buffer | { buffer: Uint8Array }): Buffer {
  return Buffer.isBuffer(image) ? image : Buffer.from(image.buffer)
}
