import type { messages as en } from '#web/i18n/en/home.ts'

export const messages: Record<keyof typeof en, string> = {
  'home.greeting': 'नमस्ते, {name}',
  'home.welcome': 'हाम्रो स्मार्ट स्विचमा स्वागत छ',
  'home.schedules': 'समयतालिका',
  'home.areOn': 'स्विच बलेका छन्',
  'home.ofTotal': '/ जम्मा {count, number} स्विच',
  'home.unknown': '{count, number} थाहा छैन',
  'home.rooms': 'कोठाहरू',
  'home.allRooms': 'सबै कोठा',
  'home.favorites': 'मनपर्ने स्विच',
  'home.allFavorites': 'सबै मनपर्ने',
  'home.toggled': '{name} {state, select, on {बल्यो} other {निभ्यो}}',
  'home.failed': 'तपाईंको घर खुलेन',
  'home.noBoards': 'अहिलेसम्म बोर्ड छैन',
  'home.noBoardsHint': 'बोर्डमा बिजुली जोडेर वाइफाइमा राख्नुहोस्: एक मिनेट जति लाग्छ।',
  'home.loose': 'कुनै कोठामा नभएका',
  'home.noFavorites': 'मनपर्ने स्विच छानिएको छैन',
  'home.noFavoritesHint': 'स्विचको मुटु थिच्नुहोस्, त्यो यहाँ एक थिचाइमै पाइन्छ।',
  'home.chooseFavorites': 'सबै स्विचबाट छान्नुहोस्'
}
