import type { messages as en } from '#web/i18n/en/health.ts'

export const messages: Record<keyof typeof en, string> = {
  'health.title': 'स्वास्थ्य',
  'health.silent': 'मौन',
  'health.failing': 'आदेश नमान्ने',
  'health.flapping': 'आउने-जाने',
  'health.weak': 'कमजोर सिग्नल',
  'health.outdated': 'पुरानो संस्करण',
  'health.never-seen': 'कहिल्यै नदेखिएको',
  'healthChip.weak': 'कमजोर सिग्नल',
  'healthChip.flapping': 'आउने-जाने',
  'healthChip.silent': 'मौन',
  'healthChip.failing': 'आदेश नमान्ने',
  'healthChip.outdated': 'पुरानो संस्करण',
  'healthChip.never-seen': 'कहिल्यै नदेखिएको'
}
