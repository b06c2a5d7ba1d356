import type { Brand } from '@batti/contracts/brand'
import type { Language } from '../../people/account-directory.ts'
import type { MailContent } from '../layout.ts'

export type NoticeKind =
  | 'already-registered'
  | 'address-in-use'
  | 'account-created'
  | 'password-changed'
  | 'email-changed'
  | 'phone-changed'
  | 'phone-taken-over'
  | 'phone-in-use'
  | 'session-stolen'
  | 'account-deleted'
  | 'board-claimed-again'
  | 'board-in-quarantine'

export interface NoticeFacts {
  /** A new address or number, partly masked; undefined if it was removed. */
  target?: string
  /** The address or number that still logs in until the new one is verified. */
  login?: string
  /** The address and program that the action came from. */
  from?: string
  /** A link that undoes the action. */
  url?: string
}

type NoticeText = Pick<MailContent, 'subject' | 'paragraphs' | 'small' | 'link'>

const help: Record<Language, (brand: Brand) => string> = {
  en: ({ contact }) => `If this was not you, reset your password at once and write to ${contact.email}.`,
  ne: ({ contact }) => `यो तपाईं हुनुहुन्न भने तुरुन्तै पासवर्ड फेर्नुहोस् र ${contact.email} मा लेख्नुहोस्।`
}
const fromWhere: Record<Language, (from: string | undefined) => string[]> = {
  en: (from) => (from === undefined ? [] : [`It was done from ${from}.`]),
  ne: (from) => (from === undefined ? [] : [`यो ${from} बाट गरिएको हो।`])
}

const undo: Record<Language, { label: string; hint: string }> = {
  en: { label: 'Undo this change', hint: 'Not you? This link brings your old address back and sets a new password:' },
  ne: { label: 'यो परिवर्तन उल्टाउनुहोस्', hint: 'तपाईं होइन? यो लिङ्कले पुरानो ठेगाना फिर्ता ल्याउँछ र नयाँ पासवर्ड राख्छ:' }
}

type Notice = Record<Language, (brand: Brand, facts: NoticeFacts) => NoticeText>

/** Creates a notice with the usual ending: where it came from, and what to do if it was not the reader. */
const security = (texts: Record<Language, (brand: Brand, facts: NoticeFacts) => [string, string]>): Notice => {
  const write = (language: Language) => (brand: Brand, facts: NoticeFacts) => {
    const [subject, sentence] = texts[language](brand, facts)
    const { url } = facts
    return {
      subject,
      paragraphs: [sentence, ...fromWhere[language](facts.from)],
      small: [help[language](brand)],
      ...(url === undefined ? {} : { link: { ...undo[language], url } })
    }
  }
  return { en: write('en'), ne: write('ne') }
}

/** Mails that tell owners what happened to their account. Nothing in them grants access. */
export const noticeMails: Record<NoticeKind, Notice> = {
  'already-registered': {
    en: (brand) => ({
      subject: `You already have a ${brand.name} account`,
      paragraphs: [
        'Somebody, perhaps you, tried to sign up with this address. It has an account already.',
        'Log in with your password, or choose "Forgot password" to set a new one.'
      ],
      small: ['If this was not you, nothing has happened and nothing needs to be done.']
    }),
    ne: (brand) => ({
      subject: `${brand.name} मा तपाईंको खाता पहिल्यै छ`,
      paragraphs: [
        'कसैले, सायद तपाईंले, यो ठेगानाले दर्ता गर्न खोज्नुभयो। यसको खाता पहिल्यै छ।',
        'आफ्नो पासवर्डले लगइन गर्नुहोस्, वा "पासवर्ड बिर्सिनुभयो" रोजेर नयाँ राख्नुहोस्।'
      ],
      small: ['यो तपाईं हुनुहुन्न भने केही भएको छैन, केही गर्नु पनि पर्दैन।']
    })
  },
  'address-in-use': {
    en: (brand) => ({
      subject: `This address belongs to a ${brand.name} account`,
      paragraphs: [
        'Somebody, perhaps you, asked to verify this address for another account. An address can belong to one account only, and yours has it.'
      ],
      small: ['If this was not you, nothing has happened and nothing needs to be done.']
    }),
    ne: (brand) => ({
      subject: `यो ठेगाना ${brand.name} को एउटा खाताको हो`,
      paragraphs: [
        'कसैले, सायद तपाईंले, यो ठेगाना अर्को खाताका लागि प्रमाणित गर्न माग्नुभयो। एउटा ठेगाना एउटै खाताको हुन सक्छ, र यो तपाईंको खातामा छ।'
      ],
      small: ['यो तपाईं हुनुहुन्न भने केही भएको छैन, केही गर्नु पनि पर्दैन।']
    })
  },
  'account-created': {
    en: (brand) => ({
      subject: `Your ${brand.name} account is ready`,
      paragraphs: [
        'An administrator made an account for you. They will tell you the first password: change it once you are in.'
      ],
      small: [`Questions? Write to ${brand.contact.email}.`]
    }),
    ne: (brand) => ({
      subject: `तपाईंको ${brand.name} खाता तयार छ`,
      paragraphs: ['प्रशासकले तपाईंको खाता बनाउनुभयो। पहिलो पासवर्ड उहाँले भन्नुहुनेछ: भित्र गएपछि त्यो फेर्नुहोस्।'],
      small: [`प्रश्न भए ${brand.contact.email} मा लेख्नुहोस्।`]
    })
  },
  'board-in-quarantine': {
    en: (_brand, facts) => ({
      subject: 'Two boards use one credential',
      paragraphs: [
        `Two boards connect as ${facts.target ?? ''} and throw each other out. Both are kept out for ten minutes.`,
        'Set your board up again: it gets a new credential, and a copy of the old one is worth nothing.'
      ],
      small: ['If you own only one such board, somebody has copied what is stored in it.']
    }),
    ne: (_brand, facts) => ({
      subject: 'दुई बोर्डले एउटै परिचय प्रयोग गर्छन्',
      paragraphs: [
        `दुई बोर्ड ${facts.target ?? ''} भनेर जोडिन्छन् र एकअर्कालाई निकाल्छन्। दुवैलाई दस मिनेट रोकिएको छ।`,
        'आफ्नो बोर्ड फेरि सेटअप गर्नुहोस्: यसले नयाँ परिचय पाउँछ, र पुरानोको नक्कल काम लाग्दैन।'
      ],
      small: ['तपाईंसँग यस्तो एउटै बोर्ड छ भने कसैले त्यसमा राखिएको कुरा नक्कल गरेको छ।']
    })
  },
  'board-claimed-again': {
    en: (_brand, facts) => ({
      subject: 'Somebody tried to set up your board',
      paragraphs: [
        `Somebody tried to set up your board ${facts.target ?? ''} for another account. They were refused, and it stays yours.`,
        'If you want to give the board away, delete it from your devices first.'
      ],
      small: ['If you know nothing of this, see who can reach the board.']
    }),
    ne: (_brand, facts) => ({
      subject: 'कसैले तपाईंको बोर्ड सेटअप गर्न खोज्यो',
      paragraphs: [
        `कसैले तपाईंको बोर्ड ${facts.target ?? ''} अर्को खाताका लागि सेटअप गर्न खोज्यो। उसलाई रोकियो, बोर्ड तपाईंकै हो।`,
        'बोर्ड अरूलाई दिन चाहनुहुन्छ भने पहिले आफ्ना उपकरणहरूबाट मेटाउनुहोस्।'
      ],
      small: ['यसबारे थाहा छैन भने बोर्डसम्म कसको पहुँच छ हेर्नुहोस्।']
    })
  },
  'password-changed': security({
    en: (brand) => [
      `Your ${brand.name} password was changed`,
      'The password of your account was changed. Everything that was logged in has been logged out.'
    ],
    ne: (brand) => [
      `तपाईंको ${brand.name} पासवर्ड फेरियो`,
      'तपाईंको खाताको पासवर्ड फेरियो। लगइन भएका सबै ठाउँबाट लगआउट गरिएको छ।'
    ]
  }),
  'email-changed': security({
    en: (brand, { target = '', login }) => [
      `The email of your ${brand.name} account was changed`,
      `Your account now shows ${target}. ${login === undefined ? 'It logs you in from now on, and the earlier one no longer does.' : `Until that address is verified, ${login} keeps logging you in.`}`
    ],
    ne: (brand, { target = '', login }) => [
      `तपाईंको ${brand.name} खाताको इमेल फेरियो`,
      `तपाईंको खातामा अब ${target} देखिन्छ। ${login === undefined ? 'अबदेखि त्यसैले लगइन हुन्छ, पहिलेकोले हुँदैन।' : `त्यो प्रमाणित नभएसम्म ${login} ले नै लगइन हुन्छ।`}`
    ]
  }),
  'phone-changed': security({
    en: (brand, { target, login }) => [
      `The phone of your ${brand.name} account was changed`,
      target === undefined
        ? 'Your account has no phone number any more. The earlier one no longer logs you in.'
        : `Your account now shows the number ${target}.${login === undefined ? '' : ` Until it is verified, ${login} keeps logging you in.`}`
    ],
    ne: (brand, { target, login }) => [
      `तपाईंको ${brand.name} खाताको फोन फेरियो`,
      target === undefined
        ? 'तपाईंको खातामा अब फोन नम्बर छैन। पहिलेको नम्बरले लगइन हुँदैन।'
        : `तपाईंको खातामा अब ${target} नम्बर देखिन्छ।${login === undefined ? '' : ` त्यो प्रमाणित नभएसम्म ${login} ले नै लगइन हुन्छ।`}`
    ]
  }),
  'phone-in-use': security({
    en: (brand, { target = '' }) => [
      `Somebody else holds the phone number of your ${brand.name} account`,
      `Somebody entered a code that we sent to ${target}, for another account. They were refused, and the number stays yours. If you have it no longer, remove it from your profile.`
    ],
    ne: (brand, { target = '' }) => [
      `तपाईंको ${brand.name} खाताको फोन नम्बर अरू कसैसँग छ`,
      `कसैले ${target} मा पठाइएको कोड अर्को खाताका लागि राख्यो। उसलाई रोकियो, नम्बर तपाईंकै हो। त्यो नम्बर अब तपाईंसँग छैन भने प्रोफाइलबाट हटाउनुहोस्।`
    ]
  }),
  'phone-taken-over': security({
    en: (brand, { target = '' }) => [
      `A phone number left your ${brand.name} account`,
      `Another account has verified the number ${target}, which yours never had. It was removed from your account.`
    ],
    ne: (brand, { target = '' }) => [
      `तपाईंको ${brand.name} खाताबाट एउटा फोन नम्बर हट्यो`,
      `अर्को खाताले ${target} नम्बर प्रमाणित गर्‍यो, जुन तपाईंले प्रमाणित गर्नुभएको थिएन। त्यो तपाईंको खाताबाट हटाइयो।`
    ]
  }),
  'session-stolen': security({
    en: (brand) => [
      `We ended a ${brand.name} session of yours`,
      'A key of one of your sessions was used twice, which happens when somebody has a copy of it. That session was ended.'
    ],
    ne: (brand) => [
      `तपाईंको ${brand.name} को एउटा सत्र बन्द गरियो`,
      'तपाईंको एउटा सत्रको साँचो दुई पटक प्रयोग भयो, जुन कसैसँग त्यसको नक्कल हुँदा हुन्छ। त्यो सत्र बन्द गरिएको छ।'
    ]
  }),
  // Its reader has no password to reset any more.
  'account-deleted': {
    en: (brand) => ({
      subject: `Your ${brand.name} account was deleted`,
      paragraphs: [
        'Your account, your rooms, schedules and sessions are erased, and your boards are released: they can be set up again.'
      ],
      small: [`If you did not ask for this, write to ${brand.contact.email} at once.`]
    }),
    ne: (brand) => ({
      subject: `तपाईंको ${brand.name} खाता मेटियो`,
      paragraphs: ['तपाईंको खाता, कोठा, तालिका र सत्रहरू मेटिए, र तपाईंका बोर्डहरू छुटाइए: ती फेरि जडान गर्न सकिन्छ।'],
      small: [`यो तपाईंले माग्नुभएको होइन भने तुरुन्तै ${brand.contact.email} मा लेख्नुहोस्।`]
    })
  }
}
