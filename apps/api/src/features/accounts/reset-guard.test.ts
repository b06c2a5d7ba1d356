import { dayMs } from '@batti/kit/durations'
import { describe, expect, it } from 'vitest'
import type { AccountRecord, ResetGuard } from '../../platform/people/account-directory.ts'
import { activeGuard, guardAfterChange, resetReceiver, undoOf } from './reset-guard.ts'

const now = 1_000_000
const account = (changes: Partial<AccountRecord> = {}): AccountRecord =>
  ({
    loginEmail: 'Sita@home.np',
    loginEmailKey: 'sita@home.np',
    loginEmailVerified: true,
    loginPhone: '+9779800000001',
    loginPhoneVerified: true,
    resetGuard: null,
    ...changes
  }) as AccountRecord
const guard = (changes: Partial<ResetGuard> = {}): ResetGuard => ({
  email: 'Old@home.np',
  emailKey: 'old@home.np',
  phone: '+9779800000009',
  until: new Date(now + 1),
  ...changes
})
const [oldMail, oldText] = [
  { kind: 'mail', to: 'Old@home.np', target: 'email:old@home.np' },
  { kind: 'text', to: '+9779800000009', target: 'phone:+9779800000009' }
]

describe('a change of address', () => {
  const inSevenDays = new Date(now + 7 * dayMs)
  const email = { email: 'Sita@home.np', emailKey: 'sita@home.np' }
  const noEmail = { email: null, emailKey: null }
  const phone = '+9779800000001'

  it.each([
    ['both addresses', {}, { ...email, phone, until: inSevenDays }],
    ['the e-mail alone', { loginPhoneVerified: false }, { ...email, phone: null, until: inSevenDays }],
    ['the number alone', { loginEmailVerified: false }, { ...noEmail, phone, until: inSevenDays }],
    ['none', { loginEmailVerified: false, loginPhoneVerified: false }, null],
    ['none', { loginEmailVerified: false, loginPhone: null, loginPhoneVerified: true }, null]
  ])('keeps %s that was verified, for seven days', (_what, changes, kept) =>
    expect(guardAfterChange(account(changes), now)).toEqual(kept)
  )

  it('within those days keeps the addresses from before the first, for seven days more', () => {
    expect(guardAfterChange(account({ resetGuard: guard() }), now)).toEqual(guard({ until: inSevenDays }))
  })

  it('after those days keeps the addresses that are verified by then', () => {
    const over = account({ resetGuard: guard({ until: new Date(now) }) })
    expect(activeGuard(over, now)).toBeNull()
    expect(guardAfterChange(over, now)).toEqual({ ...email, phone, until: inSevenDays })
  })
})

describe('a code to reset the password goes', () => {
  it('to the address of the account, by mail or by text as it was asked for', () => {
    const mail = { kind: 'mail', to: 'Sita@home.np', target: 'email:sita@home.np' }
    expect(resetReceiver(account(), 'mail', now)).toEqual(mail)
    expect(resetReceiver(account(), 'text', now)).toEqual({
      kind: 'text',
      to: '+9779800000001',
      target: 'phone:+9779800000001'
    })
    expect(resetReceiver(account({ loginPhone: null }), 'text', now)).toBeNull()
    expect(resetReceiver(account({ resetGuard: guard({ until: new Date(now) }) }), 'mail', now)).toEqual(mail)
  })

  it.each([
    ['mail', {}, oldMail],
    ['text', {}, oldText],
    ['mail', { email: null, emailKey: null }, oldText],
    ['text', { phone: null }, oldMail]
  ] as const)('after a change of address to the earlier one: %s with %j', (wish, changes, receiver) =>
    expect(resetReceiver(account({ resetGuard: guard(changes) }), wish, now)).toEqual(receiver)
  )
})

describe('who undoes a change of address', () => {
  it('has both earlier addresses back, verified', () => {
    expect(undoOf(guard())).toEqual({
      resetGuard: null,
      email: 'Old@home.np',
      emailKey: 'old@home.np',
      loginEmail: 'Old@home.np',
      loginEmailKey: 'old@home.np',
      loginEmailVerified: true,
      phone: '+9779800000009',
      loginPhone: '+9779800000009',
      loginPhoneVerified: true
    })
  })

  it('has no number that was not verified before, and keeps an e-mail where none was', () => {
    expect(undoOf(guard({ phone: null }))).toMatchObject({ phone: null, loginPhone: null, loginPhoneVerified: false })
    expect(Object.keys(undoOf(guard({ email: null, emailKey: null }))).toSorted()).toEqual([
      'loginPhone',
      'loginPhoneVerified',
      'phone',
      'resetGuard'
    ])
  })
})
