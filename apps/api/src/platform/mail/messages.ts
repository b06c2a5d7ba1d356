import type { Brand } from '@batti/contracts/brand'
import type { Language } from '../people/account-directory.ts'
import { layOut } from './layout.ts'
import type { Mail } from './mail.ts'
import { codeMails, codeTexts, type CodeMail } from './texts/codes.ts'
import { noticeMails, type NoticeFacts, type NoticeKind } from './texts/notices.ts'

/** The receiver of a mail, and their language. */
export interface Reader {
  name: string
  language: Language
}

export interface Messages {
  codeMail(kind: CodeMail, reader: Reader & { email: string }, facts: { code?: string; url?: string }): Mail
  /** Notifies an owner of an event of their account, and says what to do if it was not them. */
  noticeMail(kind: NoticeKind, reader: Reader & { email: string }, facts?: NoticeFacts): Mail
  codeText(
    kind: 'verify-phone' | 'reset',
    reader: Pick<Reader, 'language'>,
    facts: { code: string; url: string }
  ): string
}

const greetings: Record<Language, string> = { en: 'Hello', ne: 'नमस्ते' }
/** These go to an unverified address: without the name typed with it, they cannot be abused as letters to strangers. */
const toAnybody: ReadonlySet<CodeMail> = new Set(['registration', 'verify-email'])
const greet = ({ language, name }: Reader): string => `${[greetings[language], name].join(' ').trim()},`
const footers: Record<Language, string> = {
  en: 'You get this mail because this address was given to us. Nobody of ours will ever ask you for a code or a password.',
  ne: 'यो ठेगाना हामीलाई दिइएकाले तपाईंलाई यो इमेल आएको हो। हाम्रा कर्मचारीले तपाईंसँग कोड वा पासवर्ड कहिल्यै माग्दैनन्।'
}

/** Creates every mail and text message of the product, in the reader's language and the brand's layout. */
export function createMessages(brand: Brand): Messages {
  const dress = (
    reader: Reader & { email: string },
    content: Omit<Parameters<typeof layOut>[0], 'greeting' | 'footer'>
  ) => ({
    to: reader.email,
    ...layOut(
      { ...content, greeting: greet(reader), footer: footers[reader.language] },
      { brand, language: reader.language }
    )
  })
  return {
    codeMail(kind, reader, { code, url }) {
      const { subject, paragraphs, small, link } = codeMails[kind][reader.language](brand.name)
      return dress(toAnybody.has(kind) ? { ...reader, name: '' } : reader, {
        subject,
        paragraphs,
        small,
        ...(code === undefined ? {} : { code }),
        ...(url === undefined || link === undefined ? {} : { link: { ...link, url } })
      })
    },
    noticeMail: (kind, reader, facts = {}) => dress(reader, noticeMails[kind][reader.language](brand, facts)),
    codeText: (kind, { language }, { code, url }) => codeTexts[kind][language]({ brand: brand.name, code, url })
  }
}
