import type { Language } from '../../people/account-directory.ts'
import type { MailContent } from '../layout.ts'

export type CodeMail = 'registration' | 'verify-email' | 'reset' | 'invitation'

interface CodeText extends Pick<MailContent, 'subject' | 'paragraphs' | 'small'> {
  link?: { label: string; hint: string }
}

/** Mails with a code or a link, by kind and language. */
export const codeMails: Record<CodeMail, Record<Language, (brand: string) => CodeText>> = {
  registration: {
    en: (brand) => ({
      subject: `Your ${brand} code`,
      paragraphs: [`Welcome to ${brand}. Enter this code to finish your sign-up:`],
      small: ['The code is good for 10 minutes.', 'If you did not sign up, ignore this mail: no account is made.']
    }),
    ne: (brand) => ({
      subject: `${brand} को कोड`,
      paragraphs: [`${brand} मा स्वागत छ। दर्ता पूरा गर्न यो कोड राख्नुहोस्:`],
      small: ['यो कोड १० मिनेटसम्म चल्छ।', 'तपाईंले दर्ता गर्नुभएको होइन भने यो इमेल बेवास्ता गर्नुहोस्: कुनै खाता बन्दैन।']
    })
  },
  'verify-email': {
    en: (brand) => ({
      subject: `Verify your email for ${brand}`,
      paragraphs: ['Enter this code to verify your email address:'],
      link: { label: 'Verify email', hint: 'Or open this link:' },
      small: ['Code and link are good for 10 minutes and work once.', 'If you did not ask for this, ignore this mail.']
    }),
    ne: (brand) => ({
      subject: `${brand} का लागि इमेल प्रमाणित गर्नुहोस्`,
      paragraphs: ['इमेल ठेगाना प्रमाणित गर्न यो कोड राख्नुहोस्:'],
      link: { label: 'इमेल प्रमाणित गर्नुहोस्', hint: 'वा यो लिङ्क खोल्नुहोस्:' },
      small: ['कोड र लिङ्क १० मिनेटसम्म, एक पटक मात्र चल्छन्।', 'तपाईंले माग्नुभएको होइन भने यो इमेल बेवास्ता गर्नुहोस्।']
    })
  },
  reset: {
    en: (brand) => ({
      subject: `Reset your ${brand} password`,
      paragraphs: ['Enter this code to choose a new password:'],
      link: { label: 'Choose a new password', hint: 'Or open this link:' },
      small: [
        'Code and link are good for 10 minutes and work once.',
        'If you did not ask for this, ignore this mail: your password stays as it is.'
      ]
    }),
    ne: (brand) => ({
      subject: `${brand} को पासवर्ड फेर्नुहोस्`,
      paragraphs: ['नयाँ पासवर्ड राख्न यो कोड प्रयोग गर्नुहोस्:'],
      link: { label: 'नयाँ पासवर्ड राख्नुहोस्', hint: 'वा यो लिङ्क खोल्नुहोस्:' },
      small: [
        'कोड र लिङ्क १० मिनेटसम्म, एक पटक मात्र चल्छन्।',
        'तपाईंले माग्नुभएको होइन भने यो इमेल बेवास्ता गर्नुहोस्: तपाईंको पासवर्ड उही रहन्छ।'
      ]
    })
  },
  invitation: {
    en: (brand) => ({
      subject: `You are invited to ${brand}`,
      paragraphs: [`An account was made for you at ${brand}. Choose a password to start using it.`],
      link: { label: 'Choose a password', hint: 'Open this link:' },
      small: ['The link is good for 72 hours and works once.']
    }),
    ne: (brand) => ({
      subject: `${brand} मा तपाईंलाई निम्तो`,
      paragraphs: [`${brand} मा तपाईंको खाता बनाइएको छ। चलाउन सुरु गर्न पासवर्ड राख्नुहोस्।`],
      link: { label: 'पासवर्ड राख्नुहोस्', hint: 'यो लिङ्क खोल्नुहोस्:' },
      small: ['लिङ्क ७२ घण्टासम्म, एक पटक मात्र चल्छ।']
    })
  }
}

interface TextFacts {
  brand: string
  code: string
  url: string
}

/** Text messages with a code: short, with the code early, where lock screens show it. */
export const codeTexts: Record<'verify-phone' | 'reset', Record<Language, (facts: TextFacts) => string>> = {
  'verify-phone': {
    en: ({ brand, code, url }) => `${code} is your ${brand} code to verify this phone, for 10 minutes. Or open ${url}`,
    ne: ({ brand, code, url }) => `${code} यो फोन प्रमाणित गर्ने ${brand} कोड हो, १० मिनेटसम्म। वा खोल्नुहोस् ${url}`
  },
  reset: {
    en: ({ brand, code, url }) =>
      `${code} is your ${brand} code to reset your password, for 10 minutes. Or open ${url}`,
    ne: ({ brand, code, url }) => `${code} पासवर्ड फेर्ने ${brand} कोड हो, १० मिनेटसम्म। वा खोल्नुहोस् ${url}`
  }
}
