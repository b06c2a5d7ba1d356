import type { messages as en } from '#web/i18n/en/schedule-list.ts'

export const messages: Record<keyof typeof en, string> = {
  'scheduleList.gone': 'यो समयतालिका मेटाइएको छ',
  'scheduleList.search': 'नाम, स्विच वा बोर्डले खोज्नुहोस्',
  'scheduleList.count': '{count, plural, other {# वटा समयतालिका}}',
  'scheduleList.noMatchHint': 'अर्को शब्द राख्नुहोस्, वा सबै समयतालिका हेर्नुहोस्।',
  'scheduleList.more': 'थप देखाउनुहोस्',
  'scheduleList.shown': '{total, number} मध्ये {shown, number}'
}
