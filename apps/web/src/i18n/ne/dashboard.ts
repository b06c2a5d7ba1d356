import type { messages as en } from '#web/i18n/en/dashboard.ts'

export const messages: Record<keyof typeof en, string> = {
  'dashboard.title': 'ड्यासबोर्ड',
  'dashboard.refresh': 'ताजा गर्नुहोस्',
  'dashboard.failed': 'ड्यासबोर्ड लोड हुन सकेन।',
  'dashboard.empty': 'ड्यासबोर्डमा देखाउने केही छैन।',
  'dashboard.totalDevices': 'जम्मा उपकरण',
  'dashboard.onlineDevices': 'अनलाइन उपकरण',
  'dashboard.totalSwitches': 'जम्मा स्विच',
  'dashboard.favoriteSwitches': 'मनपर्ने स्विच',
  'dashboard.totalRooms': 'जम्मा कोठा',
  'dashboard.schedules': 'समयतालिका',
  'dashboard.switchState': 'स्विचको अवस्था',
  'dashboard.on': 'बलेका',
  'dashboard.off': 'बन्द',
  'dashboard.isOn': 'बलेको',
  'dashboard.isOff': 'बन्द',
  'dashboard.unknown': 'थाहा नभएका',
  'dashboard.details': 'मनपर्ने स्विच',
  'dashboard.noFavorites': 'मनपर्ने स्विच छैन।',
  'dashboard.unnamed': 'नाम नराखिएको स्विच'
}
