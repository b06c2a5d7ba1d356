import type { messages as en } from '#web/i18n/en/fleet-page.ts'

export const messages: Record<keyof typeof en, string> = {
  'fleetPage.title': 'उपकरणको स्वास्थ्य',
  'fleetPage.failed': 'बोर्डको अवस्था लोड भएन',
  'fleetPage.all': 'सबै बोर्ड',
  'fleetPage.online': 'अनलाइन',
  'fleetPage.offlineBoards': 'अफलाइन',
  'fleetPage.commands': 'आदेश, २४ घण्टा',
  'fleetPage.answered': '{all, number} पठाइयो, {expired, plural, =0 {सबैको जवाफ आयो} other {# को जवाफ आएन}}',
  'fleetPage.confirmed': 'पुष्टि भयो',
  'fleetPage.expired': 'जवाफ आएन',
  'fleetPage.offline': 'बोर्ड अफलाइन',
  'fleetPage.p95': '९५% यति भित्र',
  'fleetPage.versions': 'फर्मवेयर संस्करण',
  'fleetPage.noVersions': 'अहिलेसम्म कुनै बोर्डले संस्करण बताएको छैन।',
  'fleetPage.boards': '{count, plural, other {# बोर्ड}}'
}
