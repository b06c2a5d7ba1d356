import { describe, expect, it } from 'vitest'
import { findBrowser } from './browser.ts'

const machine = (platform: NodeJS.Platform, env: Record<string, string>, files: string[]) => ({
  platform,
  env,
  exists: (path: string) => files.includes(path),
  downloaded: () => '/cache/ms-playwright/chrome'
})

describe('the browser for the tests', () => {
  it.each<[string, NodeJS.Platform, Record<string, string>, string]>([
    ['Chromium of Debian without a window', 'linux', { PATH: '/usr/bin' }, '/usr/bin/chromium-headless-shell'],
    ['Chromium of Debian', 'linux', { PATH: '/usr/local/bin:/usr/bin' }, '/usr/bin/chromium'],
    ['Chrome in a folder of PATH', 'linux', { PATH: '/home/sita/bin' }, '/home/sita/bin/google-chrome'],
    ["Chromium as a snap, which an ssh session's PATH lacks", 'linux', { PATH: '/usr/bin' }, '/snap/bin/chromium'],
    ['Chrome on a Mac', 'darwin', {}, '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
    [
      "Edge in a Mac user's own folder",
      'darwin',
      { HOME: '/Users/sita' },
      '/Users/sita/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge'
    ],
    [
      'Edge on Windows',
      'win32',
      { 'PROGRAMFILES(X86)': 'C:\\Program Files (x86)' },
      'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe'
    ],
    [
      'Chrome of one Windows user',
      'win32',
      { LOCALAPPDATA: 'C:\\Users\\sita\\AppData\\Local' },
      'C:\\Users\\sita\\AppData\\Local\\Google\\Chrome\\Application\\chrome.exe'
    ],
    ["Playwright's download, where nothing is installed", 'linux', { PATH: '/usr/bin' }, '/cache/ms-playwright/chrome']
  ])('may be %s', (_name, platform, env, path) => {
    expect(findBrowser(machine(platform, env, [path]))).toBe(path)
  })

  it('is the one in CHROME_PATH, before any other', () => {
    const both = machine('linux', { PATH: '/usr/bin', CHROME_PATH: '/opt/beta/chrome' }, [
      '/usr/bin/chromium',
      '/opt/beta/chrome'
    ])
    expect(findBrowser(both)).toBe('/opt/beta/chrome')
  })

  it('is never silently another one than CHROME_PATH names', () => {
    const typo = machine('linux', { PATH: '/usr/bin', CHROME_PATH: '/opt/bete/chrome' }, ['/usr/bin/chromium'])
    expect(() => findBrowser(typo)).toThrow('/opt/bete/chrome')
  })

  it('is an installed one rather than a download', () => {
    expect(
      findBrowser(machine('linux', { PATH: '/usr/bin' }, ['/cache/ms-playwright/chrome', '/usr/bin/chromium']))
    ).toBe('/usr/bin/chromium')
  })

  it('may be missing', () => {
    expect(findBrowser(machine('linux', { PATH: '/usr/bin' }, []))).toBeNull()
  })
})
