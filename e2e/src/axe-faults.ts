import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * What axe finds on the page as it stands, one line each: rule, and the elements that break it. `within`: in that part
 * alone, where something lies over the rest.
 */
export async function axeFaults(page: Page, within = 'html'): Promise<string[]> {
  // Colours are judged where they end, not on their way there.
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => null)))
  )
  const { violations } = await new AxeBuilder({ page }).include(within).withTags(rules).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
}
