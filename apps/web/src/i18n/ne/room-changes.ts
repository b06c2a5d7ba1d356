import type { messages as en } from '#web/i18n/en/room-changes.ts'

export const messages: Record<keyof typeof en, string> = {
  'rooms.addDo': 'थप्नुहोस्',
  'rooms.edit': 'कोठाको नाम फेर्नुहोस्',
  'rooms.name': 'कोठाको नाम',
  'rooms.nameRequired': 'कोठाको नाम चाहिन्छ',
  'rooms.nameTaken': 'त्यो नामको कोठा पहिल्यै छ।',
  'rooms.added': 'कोठा थपियो',
  'rooms.renamed': 'कोठाको नाम फेरियो',
  'rooms.saveFailed': 'कोठा सुरक्षित गर्न सकिएन',
  'rooms.deleteTitle': '{name} मेटाउने हो?',
  'rooms.deleteEmpty': 'यसमा कुनै उपकरण छैन।',
  'rooms.deleteMoves': 'यसमा {count, plural, one {# उपकरण छ} other {# उपकरण छन्}}। कहाँ सार्ने?',
  'rooms.moveTo': 'यसका उपकरण कहाँ जान्छन्',
  'rooms.moveToNone': 'कुनै कोठामा होइन',
  'rooms.deleteDo': 'कोठा मेटाउनुहोस्',
  'rooms.gone': 'यो कोठा मेटाइएको छ',
  'rooms.deleted': 'कोठा मेटियो',
  'rooms.deleteFailed': 'कोठा मेटाउन सकिएन।'
}
