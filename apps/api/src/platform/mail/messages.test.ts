import { brandIds, brandOf } from '@batti/contracts/brand'
import { expect, test } from 'vitest'
import { createMessages } from './messages.ts'
import { codeMails } from './texts/codes.ts'
import { noticeMails } from './texts/notices.ts'

const kindsOf = <Kind extends string>(texts: Record<Kind, unknown>) => Object.keys(texts) as Kind[]
const languages = ['en', 'ne'] as const

const everyMail = brandIds.flatMap((brand) => {
  const messages = createMessages(brandOf(brand))
  return languages.flatMap((language) => {
    const reader = { email: 'a@example.com', name: 'Sita', language }
    return [
      ...kindsOf(codeMails).map((kind) => ({
        language,
        mail: messages.codeMail(kind, reader, { url: 'https://x.test/?token=abc' })
      })),
      ...kindsOf(noticeMails).map((kind) => ({
        language,
        mail: messages.noticeMail(kind, reader, { target: 'b@example.com', from: '192.0.2.1' })
      }))
    ]
  })
})

test('no mail contains six digits except its code, which people and programs look for', () => {
  for (const { mail } of everyMail) {
    expect(mail.text, mail.subject).not.toMatch(/\b\d{6}\b/)
    expect(mail.html, mail.subject).not.toMatch(/\b\d{6}\b/)
    expect(mail.subject).not.toMatch(/\d{4,}/)
  }
})

test('every mail is in its reader’s language, and in one language only', () => {
  for (const { language, mail } of everyMail) {
    const isNepali = /[\u0900-\u097f]/.test(mail.text)
    expect(isNepali, mail.subject).toBe(language === 'ne')
    expect(mail.html).toContain(`lang="${language}"`)
  }
})

test.each(languages)('whose account was deleted is asked to write, not to reset a password: %s', (language) => {
  const brand = brandOf('batti')
  const { text } = createMessages(brand).noticeMail('account-deleted', {
    email: 'a@example.com',
    name: 'Sita',
    language
  })
  expect(text).not.toMatch(/password at once|पासवर्ड फेर्नुहोस्/)
  expect(text.split('-- ')[0]).toContain(brand.contact.email)
})

test('a code text starts with its code and contains its link', () => {
  const messages = createMessages(brandOf('batti'))
  for (const language of languages) {
    const text = messages.codeText(
      'verify-phone',
      { language },
      { code: '012345', url: 'https://x.test/verify/phone?token=abc' }
    )
    expect(text).toMatch(/^012345 /)
    expect(text).toContain('token=abc')
  }
})

test.each(kindsOf(codeMails))('a %s mail to an unverified address contains no name', (kind) => {
  const reader = { email: 'a@example.com', name: 'You won! Call +1 900 555 0100', language: 'en' as const }
  const { text, html } = createMessages(brandOf('batti')).codeMail(kind, reader, { url: 'https://x.test/?token=abc' })
  const isToAnybody = kind === 'registration' || kind === 'verify-email'
  for (const body of [text, html]) expect(body.includes('You won!')).toBe(!isToAnybody)
  expect(text).toContain(isToAnybody ? 'Hello,' : 'Hello You won!')
})

test.each(languages)('a notice names what is known, the address that still logs in among it, in %s', (language) => {
  const messages = createMessages(brandOf('batti'))
  const reader = { email: 'a@example.com', name: 'Sita', language }
  const target = 'new@example.com'
  const login = 'old@example.com'
  const noticeOf = (kind: keyof typeof noticeMails, facts: object): string =>
    messages.noticeMail(kind, reader, facts).text
  for (const kind of kindsOf(noticeMails))
    for (const facts of [{}, { target }, { target, login }]) expect(noticeOf(kind, facts)).not.toMatch(/undefined|null/)
  for (const kind of ['email-changed', 'phone-changed'] as const) {
    expect(noticeOf(kind, { target, login })).toContain(target)
    expect(noticeOf(kind, { target, login })).toContain(login)
  }
})

test('user input is escaped in HTML', () => {
  const messages = createMessages(brandOf('batti'))
  const reader = { email: 'a@example.com', name: `<a href="x">'&`, language: 'en' as const }
  const { html } = messages.noticeMail('email-changed', reader, { target: '<script>' })
  expect(html).not.toMatch(/<script|<a href="x"/)
})
