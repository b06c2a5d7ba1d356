import type { messages as en } from '#web/i18n/en/staff.ts'

export const messages: Record<keyof typeof en, string> = {
  'staff.adminTitle': 'प्रशासक ड्यासबोर्ड',
  'staff.monitorTitle': 'निरीक्षक ड्यासबोर्ड',
  'staff.failed': 'ड्यासबोर्डको जानकारी लोड भएन',
  'staff.users': 'प्रयोगकर्ता',
  'staff.monitors': 'निरीक्षक',
  'staff.deviceTypes': 'उपकरणका किसिम',
  'staff.unauthorizedLogs': 'अनधिकृत पहुँच',
  'staff.devices': 'उपकरण',
  'staff.onlineDevices': 'अनलाइन उपकरण',
  'staff.switches': 'स्विच',
  'staff.favoriteSwitches': 'मनपर्ने स्विच',
  'staff.rooms': 'कोठा',
  'staff.schedules': 'समयतालिका',
  'staff.logs': 'स्विचको अभिलेख'
}
