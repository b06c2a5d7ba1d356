import { describe, expect, test } from 'vitest'
import type { AccountRecord } from '../../platform/people/account-directory.ts'
import { changeOfEmail, changeOfPhone, vouchedFor } from './change-address.ts'
import { newAccount } from './new-account.ts'

const now = Date.parse('2026-11-20T06:00:00Z')
const [old, fresh] = ['+9779800000001', '+9779800000002']
/** Both addresses are verified, and codes go to earlier ones for some days. */
const account: AccountRecord = {
  ...newAccount({
    name: 'Sita',
    email: 'sita@home.np',
    emailKey: 'sita@home.np',
    phone: old,
    role: 'user',
    passwordHash: 'hash',
    createdAt: new Date(0)
  }),
  id: '64f000000000000000000001',
  loginEmailVerified: true,
  loginPhoneVerified: true,
  resetGuard: { email: 'before@home.np', emailKey: 'before@home.np', phone: null, until: new Date(now + 1) }
}

describe('an address that an admin changes', () => {
  test('as an e-mail logs in and gets codes at once, unverified', () => {
    const email = changeOfEmail(account, 'new@home.np')
    expect(vouchedFor(account, { email, phone: null }, now)).toEqual({
      email: 'new@home.np',
      emailKey: 'new@home.np',
      loginEmail: 'new@home.np',
      loginEmailKey: 'new@home.np',
      loginEmailVerified: false,
      resetGuard: null
    })
  })

  test('as a number logs in and gets codes at once, unverified', () => {
    const phone = changeOfPhone(account, fresh, now)
    expect(vouchedFor(account, { email: null, phone }, now)).toEqual({
      phone: fresh,
      loginPhone: fresh,
      loginPhoneVerified: false,
      phoneClaimedAt: new Date(now),
      resetGuard: null
    })
  })

  test('back to the one that still logs in stays verified', () => {
    const changed = { ...account, email: 'new@home.np', emailKey: 'new@home.np', phone: fresh }
    const back = { email: changeOfEmail(changed, 'sita@home.np'), phone: changeOfPhone(changed, old, now) }
    expect(vouchedFor(changed, back, now)).toMatchObject({ loginEmailVerified: true, loginPhoneVerified: true })
  })

  test('to none removes the number', () => {
    const phone = changeOfPhone(account, '', now)
    expect(vouchedFor(account, { email: null, phone }, now)).toMatchObject({ phone: null, loginPhone: null })
  })

  test('in its spelling alone changes nothing, and leaves the earlier addresses their codes', () => {
    const same = { email: changeOfEmail(account, 'SITA@home.np'), phone: changeOfPhone(account, old, now) }
    expect(vouchedFor(account, same, now)).toEqual({})
  })
})
