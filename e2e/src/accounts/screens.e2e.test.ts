/// <reference lib="dom" />
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults } from '../axe-faults.ts'
import { openBrowser, openContext } from '../open-browser.ts'
import { logInOn } from '../pages.ts'
import { call, signUp, type Signed } from '../people.ts'
import { startProduct, type Product } from '@batti/launcher/testing/start-product'

const strangers = [
  '/',
  '/user/login',
  '/login',
  '/user/register',
  '/user/verify-registration',
  '/user/forgot-password',
  '/user/reset-password',
  '/reset-password?token=abc',
  '/verify/email?token=abc',
  '/verify/pigeon?token=abc',
  '/privacy',
  '/terms-and-conditions',
  '/contact-us',
  '/docs',
  '/support',
  '/support/setup',
  '/support/wifi-issues',
  '/support/device-sync',
  '/support/account'
]
/** Of a home without boards: its empty states. */
const owners = [
  '/user/home',
  '/user/dashboard',
  '/user/devices',
  '/user/rooms',
  '/user/switches',
  '/user/favorite-switches',
  '/user/schedules',
  '/user/logs',
  '/user/profile',
  '/user/profile?action=edit',
  '/user/profile?action=change-password',
  '/user/profile?action=verify-email',
  '/user/profile?action=verify-phone',
  '/user/profile?action=delete',
  '/user/sessions',
  '/user/verify-email'
]
// A desktop, and the language with the longer words on the narrowest phone, each in the light and the dark theme. Every
// further combination costs minutes on a small machine.
const looks = [
  { language: 'en', widths: [1440] },
  { language: 'ne', widths: [320, 1440] }
] as const

let product: Product
let browser: Browser
let maya: Signed

beforeAll(async () => {
  ;[product, browser] = await Promise.all([startProduct({ empty: true }), openBrowser()])
  maya = await signUp(product, 'Chandrakumari Bishwakarma Shrestha', '9801234571')
  // An unverified address: otherwise its screens only say that there is nothing to do.
  const body = { email: 'maya.gurung@example.com', password: maya.password }
  await call(product, '/user/update-account', { method: 'PATCH', body, token: maya.token })
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

describe.each(looks)('in $language, at $widths px', ({ language, widths }) => {
  it.each([
    ['a stranger', strangers],
    ['an owner', owners]
  ])(
    'every screen of %s is accessible, fits the page, and raises no error',
    async (who, paths) => {
      const context = await openContext(browser, { reducedMotion: 'reduce' })
      const page = await context.newPage()
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(error.message))
      page.on('console', (message) => {
        if (/Content Security Policy|MISSING_TRANSLATION/i.test(message.text())) faults.push(message.text())
      })
      if (who === 'an owner') await logInOn(page, product.web, maya)
      await context.addInitScript((chosen) => {
        // Chromium's console is silent about a violation that the page itself catches.
        addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
          console.error(`Content Security Policy: ${violatedDirective} of ${blockedURI} in ${sourceFile}`)
        )
        localStorage.setItem('language', chosen)
        // The forgot-password screen stores this; without it the next screen returns to it.
        localStorage.setItem('fp_user', '{"type":"email","value":"maya@example.com"}')
      }, language)
      for (const path of paths) {
        await page.setViewportSize({ width: widths[0], height: 844 })
        await page.goto(product.web + path)
        await page.locator('main h1').first().waitFor()
        await page.waitForLoadState('networkidle')
        const isOpen = path.includes('action=')
        if (isOpen) await page.getByRole('dialog').waitFor()
        for (const width of widths) {
          await page.setViewportSize({ width, height: 844 })
          // Colours are the same at every width.
          const themes = width === widths[0] ? (['light', 'dark'] as const) : (['light'] as const)
          faults.push(...(await axeFaults(page, { themes })).map((fault) => `${path} at ${width} px: ${fault}`))
          const overflow = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth
          )
          if (overflow > 0) faults.push(`${path} is ${overflow} px wider than the page of ${width} px`)
        }
      }
      await context.close()
      expect(faults).toEqual([])
    },
    600_000
  )
})

it('an unknown path leads to the login', async () => {
  const page = await (await openContext(browser)).newPage()
  await page.goto(`${product.web}/no/such/page`)
  await page.waitForURL('**/user/login')
  await page.context().close()
})

it('the guide and the video that the support page offers exist', async () => {
  const types = await Promise.all(
    [
      '/docs/user-guide.pdf',
      '/media/setup.webm',
      '/media/setup.jpg',
      '/media/home-dark.webp',
      '/media/setup.ne.vtt'
    ].map(async (path) => {
      const answer = await fetch(product.web + path)
      return `${answer.status} ${answer.headers.get('content-type')?.split(';')[0]}`
    })
  )
  expect(types).toEqual(['200 application/pdf', '200 video/webm', '200 image/jpeg', '200 image/webp', '200 text/vtt'])
})
