import type { messages as en } from '#web/i18n/en/rooms.ts'

export const messages: Record<keyof typeof en, string> = {
  'rooms.title': 'कोठाहरूको अवस्था',
  'rooms.add': 'कोठा थप्नुहोस्',
  'rooms.editNamed': '{name} को नाम फेर्नुहोस्',
  'rooms.deleteNamed': '{name} मेटाउनुहोस्',
  'rooms.deviceCount': '{count, plural, =0 {उपकरण छैन} other {# उपकरण}}',
  'rooms.onlineCount': '{count, plural, =0 {कुनै अनलाइन छैन} other {# अनलाइन}}',
  'rooms.onCount': '{count, plural, =0 {सबै बन्द} one {# बलेको} other {# बलेका}}',
  'rooms.unknown': 'थाहा छैन',
  'rooms.noAnswer': 'जवाफ आएन',
  'rooms.unknownCount': '{count, number} थाहा छैन',
  'rooms.none': 'कुनै कोठा भेटिएन',
  'rooms.noneHint': 'कोठामा राखेपछि बोर्ड जहाँ खोज्नुहुन्छ त्यहीँ पाइन्छ।',
  'rooms.failed': 'कोठाहरू ल्याउन सकिएन',
  'rooms.noDevices': 'उपकरण छैन',
  'rooms.noDevicesHint': 'मेरा उपकरणमा बोर्ड खोजेर सम्पादन छान्नुहोस् र यो कोठा तोक्नुहोस्।',
  'rooms.toDevices': 'मेरा उपकरण',
  'rooms.devicesFailed': 'यो कोठाका उपकरण लोड हुन सकेनन्'
}
