/// <reference lib="dom" />
import axe, { type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const all = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Rules that depend on the theme; the others have the same result in both. */
const ofColours = { type: 'rule' as const, values: ['color-contrast', 'link-in-text-block'] }

/**
 * Returns axe's violations on the current page, one line each: theme, rule, and the elements. `within` limits the check
 * to one part, for example when something covers the rest. `themes` limits it to these themes.
 */
export async function axeFaults(
  page: Page,
  { within = 'html', themes = ['light', 'dark'] }: { within?: string; themes?: readonly ('light' | 'dark')[] } = {}
): Promise<string[]> {
  const faults: string[] = []
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme })
    await page.evaluate(whenSettled)
    const violations = await violationsOf(page, within, {
      runOnly: theme === 'light' ? all : ofColours,
      resultTypes: ['violations']
    })
    for (const { id, elements } of violations) faults.push(`${theme} ${id}: ${elements.join(' | ')}`)
  }
  return faults
}

/** Runs axe in the page itself, in half the time of axe's own builder, which would look into other frames too. */
async function violationsOf(page: Page, within: string, options: RunOptions) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  return page.evaluate(
    async ([root, wanted]) => {
      const { axe: own } = globalThis as unknown as { axe: typeof axe }
      const { violations } = await own.run(root, wanted)
      return violations.map(({ id, nodes }) => ({ id, elements: nodes.map(({ html }) => html.slice(0, 200)) }))
    },
    [within, options] as const
  )
}

/**
 * Waits until transitions have ended, so that axe sees the final colours: an element that inherits a colour follows its
 * parent a frame later. Off-screen content is rendered too, because its transitions would otherwise never end.
 */
async function whenSettled(): Promise<void> {
  const drawn = new CSSStyleSheet()
  drawn.replaceSync('* { content-visibility: visible !important }')
  document.adoptedStyleSheets = [drawn]
  for (let still = 0; still < 2;) {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const moving = document.getAnimations().filter(({ playState }) => playState === 'running')
    still = moving.length === 0 ? still + 1 : 0
    await Promise.all(moving.map((animation) => animation.finished.catch(() => null)))
  }
}
