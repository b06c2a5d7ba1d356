import { existsSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import { chromium } from 'playwright-core'

/** For every browser in the tests: no sandbox (root in a container has none) and no background requests. */
export const browserFlags: readonly string[] = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run'
]

interface Machine {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  exists: (path: string) => boolean
  /** Returns the path of Playwright's own download, which may not exist. */
  downloaded: () => string
}

/** Debian's headless Chromium comes first: it renders the same pages with two thirds of the CPU time. */
const linuxNames = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge-stable',
  'microsoft-edge'
]
const macApps = ['Google Chrome', 'Chromium', 'Microsoft Edge']
const windowsPrograms = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe'
]

const isText = (value: string | undefined): value is string => value !== undefined && value !== ''

function candidates({ platform, env }: Machine): string[] {
  if (platform === 'win32') {
    const roots = [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']].filter(isText)
    return windowsPrograms.flatMap((program) => roots.map((root) => win32.join(root, program)))
  }
  if (platform === 'darwin') {
    const roots = ['/Applications', ...(isText(env['HOME']) ? [posix.join(env['HOME'], 'Applications')] : [])]
    return macApps.flatMap((app) => roots.map((root) => posix.join(root, `${app}.app/Contents/MacOS/${app}`)))
  }
  const folders = [
    ...new Set([...(env['PATH'] ?? '').split(':').filter(isText), '/usr/bin', '/snap/bin', '/opt/google/chrome'])
  ]
  return linuxNames.flatMap((name) => folders.map((folder) => posix.join(folder, name)))
}

/**
 * Finds the Chromium, Chrome or Edge to test with: the one of `CHROME_PATH`, else an installed one, else Playwright's
 * download; null when there is none. A `CHROME_PATH` that does not exist is an error.
 */
export function findBrowser(machine: Machine = thisMachine()): string | null {
  const chosen = machine.env['CHROME_PATH']
  if (isText(chosen)) {
    if (machine.exists(chosen)) return chosen
    throw new Error(
      `CHROME_PATH is set to ${chosen}, where there is no file: set it to a Chromium, Chrome or Edge, or unset it.`
    )
  }
  return [...candidates(machine), machine.downloaded()].find((path) => isText(path) && machine.exists(path)) ?? null
}

function thisMachine(): Machine {
  return {
    platform: process.platform,
    env: process.env,
    exists: existsSync,
    downloaded: () => chromium.executablePath()
  }
}
