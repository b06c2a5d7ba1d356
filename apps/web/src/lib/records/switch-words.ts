import type { Text } from '#web/lib/i18n/use-text.ts'

/** The server's name of a switch without one. */
const unnamed = /^Switch (\d+)$/

/** Returns the name of a switch as screens show it: the server's own "Switch 3" is translated. */
export function switchWords(t: Text, name: string): string {
  const number = unnamed.exec(name)?.[1]
  return number === undefined ? name : t('switch.name', { number: Number(number) })
}
