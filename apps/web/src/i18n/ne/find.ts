import type { messages as en } from '#web/i18n/en/find.ts'

export const messages: Record<keyof typeof en, string> = {
  'find.boards': 'बोर्ड',
  'find.people': 'मानिस',
  'find.pages': 'पृष्ठ',
  'find.for': '“{name}” का लागि',
  'find.toggle': 'यसका स्विच चलाउनुहोस्',
  'find.update': 'फर्मवेयर अद्यावधिक गर्नुहोस्',
  'find.copyMac': 'MAC कपी गर्नुहोस्',
  'find.owner': 'यसका मालिक, {name}',
  'find.theirBoards': 'उहाँका बोर्ड',
  'find.call': '{phone} मा फोन गर्नुहोस्',
  'find.copyPhone': 'फोन नम्बर कपी गर्नुहोस्',
  'find.copyMail': 'इमेल कपी गर्नुहोस्',
  'find.copied': 'कपी भयो।',
  'find.copyFailed': 'ब्राउजरले कपी गर्न सकेन।',
  'find.online': 'अनलाइन',
  'find.offline': 'अफलाइन',
  'find.none': 'कुनै बोर्ड, मानिस वा पृष्ठ मिलेन।',
  'find.typeMore': 'दुई वा बढी अक्षर लेख्नुहोस्।',
  'find.failed': 'खोज्न सकिएन। फेरि प्रयास गर्न लेख्दै जानुहोस्।',
  'find.keys': '↑ ↓ छान्ने · Enter खोल्ने · Ctrl Enter नयाँ ट्याबमा',
  'find.understands': 'MAC, फोन नम्बर वा आईडीले पनि खोजिन्छ'
}
