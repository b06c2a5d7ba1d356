import { ApiError } from '@batti/client/api-error'
import {
  createMonitor,
  forgotPassword,
  listMonitors,
  listUsers,
  login,
  logout,
  register,
  resetPassword,
  verifyRegistration
} from '@batti/contracts'
import { demoPeople } from './demo-plan.ts'
import { codeIn, resetTokenIn, type ProductApi } from './product-api.ts'

/** A logged-in session. The account lists it until `end` is called. */
export interface DemoSession {
  token: string
  end(): Promise<unknown>
}

/** Logs in; null when the account or password is unknown. */
export async function logIn(api: ProductApi, email: string, password: string): Promise<DemoSession | null> {
  try {
    const { accessToken, refreshToken } = await api.call(login, { body: { email, password } })
    return { token: accessToken, end: () => api.call(logout, { body: { refreshToken } }) }
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 400)) return null
    throw error
  }
}

/** Logs the demo user in. Signs up first, with the code from the outbox, unless the account exists. */
export async function ensureUser(api: ProductApi, adminToken: string, password: string): Promise<DemoSession> {
  const { email, ...person } = demoPeople.user
  const { users } = await api.as(adminToken).call(listUsers, { query: { search: email } })
  if (!users.some((user) => user.email === email)) {
    const startedAt = await api.newestMessageAt(email)
    const body = { ...person, email, password, countryCode: '+977' } as const
    const { registrationToken } = await api.call(register, { body })
    const otp = await api.readOutbox(email, (message) => (message.at > startedAt ? codeIn(message) : null))
    await api.call(verifyRegistration, { body: { otp, registrationToken } })
  }
  const session = await logIn(api, email, password)
  if (session === null) throw new Error(`${email} has an account already, with another password.`)
  return session
}

/** Ensures the monitor account: the admin invites it, and the link of the invitation sets its password. */
export async function ensureMonitor(api: ProductApi, adminToken: string, password: string): Promise<void> {
  const { email, name, phone, permissions } = demoPeople.monitor
  const { monitors } = await api.as(adminToken).call(listMonitors)
  if (!monitors.some((monitor) => monitor.email === email)) {
    await api.as(adminToken).call(createMonitor, { body: { name, phone, email, permissions: [...permissions] } })
    const token = await api.readOutbox(email, resetTokenIn)
    await api.call(resetPassword, { body: { token, newPassword: password } })
    return
  }
  const known = await logIn(api, email, password)
  if (known !== null) {
    await known.end()
    return
  }
  // An interrupted start invited it. That outbox is gone, and the invitation with it; a reset code works as well.
  const startedAt = await api.newestMessageAt(email)
  await api.call(forgotPassword, { body: { email } })
  const otp = await api.readOutbox(email, (message) => (message.at > startedAt ? codeIn(message) : null))
  await api.call(resetPassword, { body: { email, otp, newPassword: password } })
}
