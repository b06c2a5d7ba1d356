import type { messages as en } from '#web/i18n/en/colours.ts'

export const messages: Record<keyof typeof en, string> = {
  'colour.green': 'हरियो',
  'colour.blue': 'निलो',
  'colour.red': 'रातो',
  'colour.yellow': 'पहेँलो',
  'colour.violet': 'बैजनी',
  'colour.Sky Blue': 'आकाशे निलो',
  'colour.Aqua Blue': 'पानी निलो',
  'colour.white': 'सेतो',
  'colour.custom': 'आफ्नै',
  'colour.customLabel': 'रङको नाम वा हेक्स'
}
