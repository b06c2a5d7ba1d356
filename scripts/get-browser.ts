import { existsSync } from 'node:fs'
import { findBrowser } from '../e2e/src/browser.ts'
import { runCommand } from './run-command.ts'

const patientMs = 10 * 60_000
const whatToInstall =
  'No Chromium, Chrome or Edge was found and none could be installed: install one (Debian, Ubuntu: `sudo apt-get install chromium`), or set CHROME_PATH to it.'

/**
 * Returns the path of the browser for the tests. If none is installed, installs Debian's package (as root) or Playwright's
 * download. When both fail it throws an Error that names what to install: browser tests are never skipped silently.
 */
export async function getBrowser(say: (line: string) => void): Promise<string> {
  const installed = findBrowser()
  if (installed !== null) return installed
  const ways = [...(canUseApt() ? [installPackage] : []), downloadOne]
  const reasons: string[] = []
  for (const way of ways) {
    const { doing, run } = way()
    say(`No browser is installed: ${doing} …`)
    const result = await run()
    const found = findBrowser()
    if (found !== null) return found
    reasons.push(lastLine(result.text))
  }
  say(reasons.filter((reason) => reason !== '').join('\n'))
  throw new Error(whatToInstall)
}

const canUseApt = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

const installPackage = () => ({
  doing: "installing Debian's Chromium",
  run: async () => {
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    await runCommand('apt-get', ['update', '-qq'], { env, timeoutMs: patientMs })
    const install = (name: string) =>
      runCommand('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], { env, timeoutMs: patientMs })
    const withoutWindow = await install('chromium-headless-shell')
    // Older systems do not have this package.
    return withoutWindow.code === 0 ? withoutWindow : install('chromium')
  }
})

const downloadOne = () => ({
  doing: "downloading Playwright's Chromium",
  run: () => runCommand('playwright-core', ['install', 'chromium'], { timeoutMs: patientMs })
})

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''
