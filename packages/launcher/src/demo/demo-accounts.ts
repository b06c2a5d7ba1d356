import { ApiError } from '@batti/client/api-error'
import {
  createMonitor,
  forgotPassword,
  listMonitors,
  login,
  logout,
  register,
  resetPassword,
  verifyRegistration
} from '@batti/contracts'
import { demoPeople } from './demo-plan.ts'
import { codeIn, resetTokenIn, type ProductApi } from './product-api.ts'

/** Somebody logged in: where their account lists it, it stands until it is ended. */
export interface DemoSession {
  token: string
  end(): Promise<unknown>
}

/** Null when the log-in is not known. */
export async function logIn(api: ProductApi, email: string, password: string): Promise<DemoSession | null> {
  try {
    const { accessToken, refreshToken } = await api.call(login, { body: { email, password } })
    return { token: accessToken, end: () => api.call(logout, { body: { refreshToken } }) }
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 400)) return null
    throw error
  }
}

/** The user, logged in: signed up with the code from the outbox, as a person would, unless the account is there already. */
export async function ensureUser(api: ProductApi, password: string): Promise<DemoSession> {
  const { email, ...person } = demoPeople.user
  const known = await logIn(api, email, password)
  if (known !== null) return known
  const startedAt = await api.newestMessageAt(email)
  const { registrationToken } = await api.call(register, { body: { ...person, email, password, countryCode: '+977' } })
  const otp = await api.readOutbox(email, (message) => (message.at > startedAt ? codeIn(message) : null))
  await api.call(verifyRegistration, { body: { otp, registrationToken } })
  const session = await logIn(api, email, password)
  if (session === null) throw new Error(`${email} has an account already, with another password.`)
  return session
}

/** The monitor: invited by the admin, and taken in by the link of the invitation. */
export async function ensureMonitor(api: ProductApi, adminToken: string, password: string): Promise<void> {
  const { email, name, phone, permissions } = demoPeople.monitor
  const known = await logIn(api, email, password)
  if (known !== null) {
    await known.end()
    return
  }
  const { monitors } = await api.as(adminToken).call(listMonitors)
  if (!monitors.some((monitor) => monitor.email === email)) {
    await api.as(adminToken).call(createMonitor, { body: { name, phone, email, permissions: [...permissions] } })
    const token = await api.readOutbox(email, resetTokenIn)
    await api.call(resetPassword, { body: { token, newPassword: password } })
    return
  }
  // Invited by a start that was cut off: the invitation is gone with that outbox, a reset code works as well.
  const startedAt = await api.newestMessageAt(email)
  await api.call(forgotPassword, { body: { email } })
  const otp = await api.readOutbox(email, (message) => (message.at > startedAt ? codeIn(message) : null))
  await api.call(resetPassword, { body: { email, otp, newPassword: password } })
}
