import { createIntl } from 'react-intl'
import { messages as devices } from '#web/i18n/ne/devices.ts'
import { messages as logs } from '#web/i18n/ne/logs.ts'
import { logSentence } from '#web/lib/records/log-sentence.ts'
import { switchWords } from '#web/lib/records/switch-words.ts'
import { figureInNepali } from './server-parts.ts'
import type { Text } from './use-text.ts'

/** Messages that the server pushes to a user, shown in the banner. */
export const noticeSentences: Readonly<Record<string, string>> = {
  'Another account has verified your phone number. It was removed from your profile.':
    'अर्को खाताले तपाईंको फोन नम्बर पुष्टि गर्‍यो। यो तपाईंको प्रोफाइलबाट हटाइयो।'
}

export const noticeShapes: readonly (readonly [shape: RegExp, nepali: string])[] = [
  [
    /^Two boards use the credentials of (.+)\. It is kept out for ten minutes; set it up again to give it new ones\.$/,
    '{1} को पहिचान दुई बोर्डले प्रयोग गर्दैछन्। यसलाई दस मिनेट बाहिर राखिएको छ; नयाँ पहिचान दिन फेरि जोड्नुहोस्।'
  ],
  [
    /^Somebody tried to set up your board (.+) again\. It stays yours\.$/,
    'कसैले तपाईंको बोर्ड {1} फेरि जोड्न खोज्यो। यो तपाईंकै रहन्छ।'
  ]
]

const missedNotice = /^(?<first>.+?)(?:, and (?<more>\d+) more schedules? (?:was|were) missed)?\.$/

/** Translates the notice of a missed schedule, with the count of further ones; null for any other message. */
export function missedInNepali(notice: string): string | null {
  const { first = '', more } = missedNotice.exec(notice)?.groups ?? {}
  const sentence = logSentence(first)
  if (sentence === null) return null
  const intl = createIntl({ locale: 'ne', messages: { ...logs, ...devices } })
  const t: Text = (id, values) => intl.formatMessage({ id }, values)
  const told = t(sentence.id, { ...sentence.values, name: switchWords(t, String(sentence.values['name'])) })
  return more === undefined ? `${told}।` : `${told}। थप ${figureInNepali(more)} वटा समयतालिका छुटे।`
}
