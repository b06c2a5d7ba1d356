import type { messages as en } from '#web/i18n/en/first.ts'

export const messages: Record<keyof typeof en, string> = {
  'common.tryAgain': 'फेरि प्रयास गर्नुहोस्',
  'common.loading': 'लोड हुँदैछ...',
  'common.failedTitle': 'यो खुलेन',
  'common.failedBody': 'सर्भरबाट जवाफ आएन। इन्टरनेट जाँचेर फेरि प्रयास गर्नुहोस्।',
  'common.triesAgain': 'यो पृष्ठले आफैँ फेरि प्रयास गर्छ।',
  'common.reload': 'पृष्ठ फेरि खोल्नुहोस्',
  'common.newVersionTitle': 'नयाँ संस्करण आएको छ',
  'common.newVersionBody': 'प्रयोग गर्न पृष्ठ फेरि खोल्नुहोस्।'
}
