import type { messages as en } from '#web/i18n/en/device-details.ts'

export const messages: Record<keyof typeof en, string> = {
  'details.view': 'हेर्नुहोस्',
  'details.edit': 'सम्पादन',
  'details.save': 'सुरक्षित गर्नुहोस्',
  'details.saved': 'उपकरण फेरियो',
  'details.saveFailed': 'उपकरण फेर्न सकिएन',
  'details.name': 'आफूले राखेको नाम',
  'details.room': 'तोकिएको कोठा',
  'details.colour': 'रङ',
  'details.wifi': 'वाइफाइको नाम (SSID)',
  'details.wifiPassword': 'वाइफाइको पासवर्ड',
  'details.wifiHint': 'नयाँ वाइफाइ बोर्डमा पठाइन्छ र बोर्ड त्यसैमा जोडिन्छ। गलत भए फेरि सेटअप नगरेसम्म बोर्ड अफलाइन रहन्छ।',
  'details.waiting': 'बोर्डले सेटिङ लिने पर्खिँदै…',
  'details.taken': 'बोर्डले सेटिङ लियो',
  'details.facts': 'यो बोर्डबारे',
  'details.device': 'उपकरण',
  'details.mac': 'म्याक',
  'details.code': 'कोड',
  'details.model': 'हार्डवेयर मोडेल',
  'details.outlets': 'स्विच',
  'details.firmware': 'फर्मवेयर',
  'details.signal': 'सिग्नल',
  'details.address': 'स्थानीय ठेगाना',
  'details.zone': 'समय क्षेत्र',
  'details.seen': 'अन्तिम पटक देखिएको',
  'details.owner': 'प्रयोगकर्ता'
}
