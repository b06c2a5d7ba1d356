import { roles } from '@batti/contracts'
import type { Screen } from './screen.ts'

/** The routes of accounts: sign-up, login, recovery, profile, and the public pages. */
export const accountScreens: readonly Screen[] = [
  {
    path: '/',
    roles: 'public',
    texts: ['landing'],
    load: () => import('#web/routes/public/landing.tsx')
  },
  { path: '/user/login', roles: 'public', texts: ['accounts'], load: () => import('#web/routes/public/login.tsx') },
  { path: '/login', roles: 'public', texts: ['accounts'], load: () => import('#web/routes/public/login.tsx') },
  {
    path: '/user/register',
    roles: 'public',
    texts: ['accounts', 'rules'],
    load: () => import('#web/routes/public/register.tsx')
  },
  {
    path: '/user/verify-registration',
    roles: 'public',
    texts: ['accounts'],
    load: () => import('#web/routes/public/verify-registration.tsx')
  },
  {
    path: '/user/forgot-password',
    roles: 'public',
    texts: ['recovery'],
    load: () => import('#web/routes/public/forgot-password.tsx')
  },
  {
    path: '/user/reset-password',
    roles: 'public',
    texts: ['recovery'],
    load: () => import('#web/routes/public/reset-password.tsx')
  },
  {
    path: '/reset-password',
    roles: 'public',
    texts: ['recovery'],
    load: () => import('#web/routes/public/reset-by-link.tsx')
  },
  {
    path: '/verify/:type',
    roles: 'public',
    texts: ['recovery'],
    load: () => import('#web/routes/public/verify-link.tsx')
  },
  ...roles.flatMap((role): Screen[] => [
    {
      path: `/${role}/profile`,
      roles: [role],
      texts: ['accounts', 'profile', 'support', 'rules'],
      load: () => import('#web/routes/user/profile.tsx')
    },
    {
      path: `/${role}/sessions`,
      roles: [role],
      texts: ['profile'],
      load: () => import('#web/routes/user/sessions.tsx')
    }
  ]),
  {
    path: '/user/verify-email',
    roles: ['user'],
    texts: ['profile'],
    load: () => import('#web/routes/user/verify-email.tsx')
  },
  { path: '/privacy', roles: 'public', texts: ['legal'], load: () => import('#web/routes/public/privacy.tsx') },
  {
    path: '/terms-and-conditions',
    roles: 'public',
    texts: ['legal'],
    load: () => import('#web/routes/public/terms.tsx')
  },
  { path: '/docs', roles: 'public', texts: ['reference'], load: () => import('#web/routes/public/docs.tsx') },
  { path: '/contact-us', roles: 'public', texts: ['support'], load: () => import('#web/routes/public/contact.tsx') },
  { path: '/support', roles: 'public', texts: ['support'], load: () => import('#web/routes/public/support.tsx') },
  {
    path: '/support/:topic',
    roles: 'public',
    texts: ['support'],
    load: () => import('#web/routes/public/support-topic.tsx')
  }
]
