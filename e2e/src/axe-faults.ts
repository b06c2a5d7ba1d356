/// <reference lib="dom" />
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

const all = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** What a theme can break: all else is the same in both. */
const ofColours = { type: 'rule' as const, values: ['color-contrast', 'link-in-text-block'] }

/**
 * What axe finds on the page as it stands, in the light and in the dark, one line each: theme, rule, and the elements that
 * break it. `within`: in that part alone, where something lies over the rest. `themes`: in these alone.
 */
export async function axeFaults(
  page: Page,
  { within = 'html', themes = ['light', 'dark'] }: { within?: string; themes?: readonly ('light' | 'dark')[] } = {}
): Promise<string[]> {
  const faults: string[] = []
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme })
    await page.evaluate(whenSettled)
    // In the page itself, which has no frames of others, and faults alone: a third of the time.
    const { violations } = await new AxeBuilder({ page })
      .include(within)
      .options({ runOnly: theme === 'light' ? all : ofColours, resultTypes: ['violations'] })
      .setLegacyMode()
      .analyze()
    for (const { id, nodes } of violations)
      faults.push(`${theme} ${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
  }
  return faults
}

/**
 * Colours are judged where they end, not on their way there: each element follows the one that it inherits from, a frame
 * later. What is not drawn because it is out of view is judged as whoever scrolls to it sees it: undrawn, it stays on its
 * way for ever.
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
