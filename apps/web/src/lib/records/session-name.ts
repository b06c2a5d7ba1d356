export interface SessionPlace {
  browser: string | null
  system: string | null
  isPhone: boolean
}

// The first match wins: Edge and Opera also contain Chrome, Chrome also contains Safari, Android also contains Linux.
const browsers: readonly [mark: RegExp, name: string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/\bDart\/|\bokhttp\//i, 'App'],
  [/\bcurl\//, 'curl'],
  [/^node\b|\bundici\b/, 'Node.js']
]
const systems: readonly [mark: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux']
]
const nameIn = (userAgent: string, names: readonly [RegExp, string][]) =>
  names.find(([mark]) => mark.test(userAgent))?.[1] ?? null

/** Returns the browser and system of a `User-Agent`; null for unknown ones. */
export function placeOf(userAgent: string): SessionPlace {
  return {
    browser: nameIn(userAgent, browsers),
    system: nameIn(userAgent, systems),
    isPhone: /\bMobile\b|\biPhone\b/.test(userAgent)
  }
}
