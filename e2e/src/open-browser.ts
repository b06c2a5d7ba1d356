import { chromium, type Browser } from 'playwright-core'
import { browserFlags, findBrowser } from './browser.ts'

/** A real Chromium. @throws one sentence when this machine has none. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser()
  if (executablePath === null) {
    throw new Error('No Chromium, Chrome or Edge was found: install one, or set CHROME_PATH to it.')
  }
  return chromium.launch({ executablePath, args: [...browserFlags] })
}
