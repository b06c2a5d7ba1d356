import { z } from 'zod'
import { defaultCountryCode, loginPasswordMinLength, loginPath, logoutPath, roles } from '../constants.ts'
import {
  countryCode,
  emailAddress,
  isoDate,
  languages,
  lineText,
  newPassword,
  oneTimeCode,
  phoneText,
  requiredLine
} from './fields.ts'
import { account, open, route } from './route.ts'

/** An account as its owner and staff see it. */
export const userRecord = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  countryCode: z.string().optional(),
  address: z.string().optional(),
  role: z.enum(roles),
  permissions: z.array(z.string()).optional(),
  profileImage: z.object({ url: z.string() }).nullable(),
  emailVerification: z.boolean(),
  phoneVerification: z.boolean(),
  language: z.enum(languages).optional(),
  timezone: z.string().optional(),
  createdAt: isoDate
})
export type UserRecord = z.infer<typeof userRecord>

const loginPassword = z
  .string()
  .min(loginPasswordMinLength, `Password must be at least ${loginPasswordMinLength} characters.`)
  .max(1024, 'must be at most 1024 characters')
/** Country code and ten digits; the plus may be missing. */
export const phoneNumber = phoneText(
  /^\+?\d{10,15}$/,
  'Please enter a phone number with country code such as +9779812345678.'
)

export const tokenPair = z.object({ accessToken: z.string(), refreshToken: z.string() })

interface EmailOrPhone {
  email?: unknown
  phone?: unknown
}
const hasEither = ({ email, phone }: EmailOrPhone) => (email ?? phone) !== undefined
const hasBoth = ({ email, phone }: EmailOrPhone) => email !== undefined && phone !== undefined
const notBoth = { path: ['email'], message: 'send either email or phone' }
/** `sentence`: the answer to a body with neither. */
const neither = (sentence: string) => ({ path: ['email'], message: sentence })

export const login = route({
  method: 'post',
  path: loginPath,
  summary: 'Log in by e-mail or phone',
  access: open,
  errors: ['UNAUTHENTICATED'],
  body: z
    .object({ email: emailAddress.optional(), phone: phoneNumber.optional(), password: loginPassword })
    .refine(hasEither, neither('Email or Phone is Required !'))
    .refine((body) => !hasBoth(body), notBoth),
  answer: tokenPair.extend({ user: userRecord }),
  message: 'Logged in.'
})

export const register = route({
  method: 'post',
  path: '/user/register',
  summary: 'Sign up: makes a pending registration and mails its code',
  access: open,
  multipart: { file: 'profileImage' },
  body: z.object({
    name: requiredLine(100),
    email: emailAddress,
    countryCode: countryCode.default(defaultCountryCode),
    phone: phoneText(/^\d{10}$/, 'Phone number must be exactly 10 digits.'),
    password: newPassword,
    address: requiredLine(300),
    language: z.enum(languages).optional(),
    /** A secret created by the client, as random as the server's: the client has it even if the answer is lost. */
    registrationToken: z.string().min(43).max(128).optional()
  }),
  forbidden: ['role', '_id', 'emailVerification', 'phoneVerification', 'createdAt', 'permissions'],
  answer: z.object({ registrationToken: z.string() }),
  status: 201,
  message: 'Signup successful! Check your email to verify.'
})

export const verifyRegistration = route({
  method: 'post',
  path: '/user/verify-registration',
  summary: 'Finish a sign-up with the code that was mailed',
  access: open,
  errors: ['CODE_INVALID'],
  body: z.object({
    otp: oneTimeCode,
    registrationToken: requiredLine(2048, 'Missing registration token. Please sign up again.')
  }),
  message: 'Email verified successfully!'
})

export const forgotPassword = route({
  method: 'post',
  path: '/user/forgot-password',
  summary: 'Send a reset code; the answer is the same for an unknown address',
  access: open,
  body: z
    .object({ email: emailAddress.optional(), phone: phoneNumber.optional() })
    .refine(hasEither, neither('Please enter your email or phone.'))
    .refine((body) => !hasBoth(body), notBoth),
  message: 'OTP sent to your registered email/phone.'
})

export const resetPassword = route({
  method: 'post',
  path: '/user/reset-password',
  summary: 'Set a new password by code or by link token; ends every session',
  access: open,
  errors: ['CODE_INVALID', 'CONFLICT'],
  body: z
    .object({
      token: z.string().min(1).max(2048).optional(),
      otp: oneTimeCode.optional(),
      newPassword,
      email: emailAddress.optional(),
      phone: phoneNumber.optional()
    })
    .refine(({ token, otp, email, phone }) => token === undefined || (otp ?? email ?? phone) === undefined, {
      path: ['token'],
      message: 'says by itself whose password it is: send it alone, or the code (otp) with email or phone'
    })
    .refine((body) => body.token !== undefined || body.otp !== undefined, {
      path: ['otp'],
      message: 'send the code (otp) with email or phone, or the token of the link'
    })
    .refine((body) => body.token !== undefined || (hasEither(body) && !hasBoth(body)), notBoth),
  message: 'Password reset successfully. You can now login.'
})

export const logout = route({
  method: 'post',
  path: logoutPath,
  summary: 'End this session; 200 also where there is none',
  access: open,
  errors: ['FORBIDDEN'],
  body: z.object({ refreshToken: z.string().max(2048).optional().catch(undefined) }),
  message: 'Logged out.'
})

export const refreshToken = route({
  method: 'post',
  path: '/user/refresh-token',
  summary: 'Rotate the refresh token (body or cookie)',
  access: open,
  errors: ['UNAUTHENTICATED', 'FORBIDDEN'],
  body: z.object({ refreshToken: z.string().max(2048).optional() }),
  answer: tokenPair,
  message: 'Session renewed.'
})

export const getAccount = route({
  method: 'get',
  path: '/user/account',
  summary: 'The account that is logged in',
  access: account,
  answer: userRecord,
  shape: 'record'
})

export const updateAccount = route({
  method: 'patch',
  path: '/user/update-account',
  summary:
    'Change name, e-mail, phone or picture. A new address is unverified; until then the old verified one keeps logging in',
  access: account,
  errors: ['CONFLICT'],
  multipart: { file: 'profileImage' },
  body: z.object({
    name: requiredLine(100).optional(),
    email: emailAddress.optional(),
    phone: lineText(32).optional(),
    countryCode: countryCode.optional(),
    address: lineText(300).optional(),
    language: z.enum(languages).optional(),
    timezone: lineText(64).optional(),
    password: z.string().max(1024).optional()
  }),
  answer: userRecord,
  shape: 'record',
  message: 'Profile updated.'
})

export const changePassword = route({
  method: 'patch',
  path: '/user/change-password',
  summary: 'Change the password; ends every session. A wrong old password answers 400',
  access: account,
  body: z.object({ oldPassword: z.string().min(1, 'is required').max(1024), newPassword }),
  message: 'Password changed. Please log in again.'
})

export const requestEmailVerification = route({
  method: 'post',
  path: '/user/request-email-verification',
  summary: 'Mail a code and a link to the current e-mail',
  access: account,
  errors: ['CONFLICT'],
  message: 'A code is on its way to your email.'
})

export const verifyEmail = route({
  method: 'post',
  path: '/user/verify-email',
  summary: 'Verify the e-mail with the code',
  access: account,
  errors: ['CODE_INVALID', 'CONFLICT'],
  body: z.object({ otp: oneTimeCode }),
  message: 'Email verified.'
})

export const requestPhoneVerification = route({
  method: 'post',
  path: '/user/request-phone-verification',
  summary: 'Send a code to the current phone',
  access: account,
  errors: ['VALIDATION', 'CONFLICT'],
  message: 'A code is on its way to your phone.'
})

export const verifyPhone = route({
  method: 'post',
  path: '/user/verify-phone',
  summary: 'Verify the phone with the code',
  access: account,
  errors: ['CODE_INVALID', 'CONFLICT'],
  body: z.object({ otp: oneTimeCode }),
  message: 'Phone verified.'
})

export const deleteMyAccount = route({
  method: 'delete',
  path: '/user/delete-myaccount',
  summary: 'Erase the account and its data, and unclaim its boards. A wrong password answers 400',
  access: account,
  errors: ['CONFLICT'],
  body: z.object({ password: z.string().min(1, 'is required').max(1024) }),
  message: 'Your account is deleted.'
})

const tokenQuery = z.object({ token: z.string().min(1, 'is required').max(2048) })
export const verifyEmailLink = route({
  method: 'get',
  path: '/users/verify-email',
  summary: 'Landing page of the e-mail link; spends the token',
  access: open,
  errors: ['CODE_INVALID', 'CONFLICT'],
  query: tokenQuery,
  message: 'Email verified.'
})
export const verifyPhoneLink = route({
  method: 'get',
  path: '/users/verify-phone',
  summary: 'Landing page of the phone link; spends the token',
  access: open,
  errors: ['CODE_INVALID', 'CONFLICT'],
  query: tokenQuery,
  message: 'Phone verified.'
})
export const verifyResetToken = route({
  method: 'get',
  path: '/users/verify-reset-token',
  summary: 'Checks a reset link without spending it',
  access: open,
  errors: ['CODE_INVALID'],
  query: tokenQuery,
  message: 'The link is valid.'
})
