/** Settings that the image, the launcher or the installation determines, and that are not passed through. */
export const settledByImages = (
  'HOST PORT INTERNAL_HOST INTERNAL_PORT DATA_DIR WEB_DIR DEV_OUTBOX ' +
  'MQTT_HOST MQTT_PORT MQTT_AUTH_URL MQTT_AUTH_BATCH_URL BROKER_HTTP_HOST BROKER_HTTP_PORT'
).split(' ')

const begin = '  # settings: begin (written by `npm run generate`)\n'
const end = '  # settings: end\n'

/**
 * Returns the text of docker-compose.yml in which all settings without a value of their own are passed through.
 * @throws Error when the marks are missing.
 */
export function withSettings(compose: string, settings: readonly string[]): string {
  const [from, to] = [compose.indexOf(begin), compose.indexOf(end)]
  if (from < 0 || to < from) throw new Error('docker-compose.yml has lost the marks around its settings.')
  const [before, after] = [compose.slice(0, from), compose.slice(to)]
  const own = new Set((before + after).match(/(?<=^ +)[A-Z][A-Z0-9_]+(?=:)/gm))
  const lines = settings
    .filter((name) => !own.has(name) && !settledByImages.includes(name))
    .toSorted()
    .map((name) => `  ${name}: \${${name}:-}\n`)
  return `${before}${begin}${lines.join('')}${after}`
}
