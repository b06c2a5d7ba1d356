import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import { browserFlags, findBrowser } from './browser.ts'
import { patientMs } from './deadline.ts'

const browsers: Browser[] = []

/** Opens a real Chromium. @throws a message when this machine has none. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser()
  if (executablePath === null) {
    throw new Error('No Chromium, Chrome or Edge was found: install one, or set CHROME_PATH to it.')
  }
  const browser = await chromium.launch({ executablePath, args: [...browserFlags] })
  browsers.push(browser)
  return browser
}

/** Returns the pages that are open in the browsers of this test file. */
export const openPages = (): readonly Page[] =>
  browsers.flatMap((browser) => browser.contexts()).flatMap((context) => context.pages())

/** Opens a browser context in English (en-GB) with a long timeout. `look`: the window, its theme, other options. */
export async function openContext(browser: Browser, look: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB', ...look })
  context.setDefaultTimeout(patientMs)
  return context
}

/** What browsers of early 2023 do not have: they are the oldest that draw the styles. */
const later: readonly [owner: string, names: readonly string[]][] = [
  ['AbortSignal', ['any']],
  ['Array', ['fromAsync']],
  ['Element.prototype', ['checkVisibility']],
  [
    'Iterator.prototype',
    ['drop', 'every', 'filter', 'find', 'flatMap', 'forEach', 'map', 'reduce', 'some', 'take', 'toArray']
  ],
  ['Map', ['groupBy']],
  ['Object', ['groupBy']],
  ['Promise', ['try', 'withResolvers']],
  ['Set.prototype', ['difference', 'intersection', 'isDisjointFrom', 'isSubsetOf', 'isSupersetOf', 'union']],
  ['String.prototype', ['isWellFormed', 'toWellFormed']],
  ['URL', ['canParse', 'parse']],
  ['URLSearchParams.prototype', ['size']]
]

/** Takes from the pages of this context what browsers of early 2023 do not have. */
export async function makeOld(context: BrowserContext): Promise<void> {
  const lines = later.flatMap(([owner, names]) =>
    names.map((name) => `delete globalThis.${owner.replace('.', '?.')}.${name}`)
  )
  await context.addInitScript(lines.join('\n'))
}
