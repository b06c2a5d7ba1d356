import type { ExcludedReason, RolloutState } from '@batti/contracts'
import { nepaliNumber } from './nepali.ts'

const states: Readonly<Record<RolloutState, string>> = {
  'waiting-approval': 'स्वीकृति पर्खिरहेको',
  running: 'चलिरहेको',
  asking: 'अघि बढ्न सोधिरहेको',
  paused: 'रोकिएको',
  done: 'सकिएको',
  cancelled: 'रद्द भएको'
}
const excluded: Readonly<Record<ExcludedReason, string>> = {
  'wrong-model': 'अर्को मोडेलका',
  'up-to-date': 'यही चलाइरहेका',
  'older-secure-version': 'सुरक्षा नयाँ भएका',
  withdrawn: 'फाइल फिर्ता लिइएका',
  pinned: 'संस्करणमा अड्याइएका',
  busy: 'अर्को काममा परेका',
  'needs-step': 'पहिले बीचको संस्करण चाहिने'
}

/** The product's own words that the server inserts into a message. */
const parts: Readonly<Record<string, string>> = {
  ...states,
  ...excluded,
  deviceCode: 'कोड',
  hwModel: 'मोडेल',
  numberOfSwitches: 'स्विचको सङ्ख्या',
  numberOfFans: 'पङ्खाको सङ्ख्या',
  numberOfSockets: 'सकेटको सङ्ख्या',
  fanIndexes: 'पङ्खाका क्रम',
  socketIndexes: 'सकेटका क्रम',
  'no reason given': 'कारण भनेन',
  'its model cannot be read': 'यसको मोडेल पढ्न सकिएन',
  'its version cannot be read': 'यसको संस्करण पढ्न सकिएन',
  'its size is not what its block says': 'यसको आकार ब्लकले भनेजति छैन',
  'its block is not empty where it must be': 'यसको ब्लक खाली हुनुपर्ने ठाउँमा खाली छैन'
}

/** Returns a number in Nepali digits; names and versions stay as they are. */
export const figureInNepali = (text: string): string => (/^\d+$/.test(text) ? nepaliNumber(Number(text)) : text)

const partOf = (word: string): string => (Object.hasOwn(parts, word) ? (parts[word] ?? word) : word)

/** Translates the product's own words, alone or in a list ("2 pinned, 1 busy"). A board's own text stays as it is. */
export function wordsInNepali(text: string): string {
  const [, colon = '', list = ''] = /^(: )?(.*)$/.exec(text) ?? []
  const translated = list.split(', ').map((item) => {
    const [, count = '', word = ''] = /^(\d+ )?(.+)$/.exec(item) ?? []
    return partOf(word) === word ? null : count.replace(/\d+/, figureInNepali) + partOf(word)
  })
  return translated.includes(null) ? text : colon + translated.join(', ')
}
