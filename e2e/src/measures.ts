/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core'

/**
 * Returns the visible elements whose outline has less than 3:1 contrast with the surface around them: a border, or the
 * stroke of a shape.
 */
export const faintOutlines = (elements: Locator): Promise<string[]> =>
  elements.evaluateAll((all) => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    if (canvas === null) throw new Error('This browser draws nothing.')
    const luminance = (layers: readonly string[]): number => {
      for (const colour of layers) {
        canvas.fillStyle = colour
        canvas.fillRect(0, 0, 1, 1)
      }
      const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) =>
        value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
      )
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const surfaces = (element: Element): string[] => {
      const parent = element.parentElement
      return parent === null ? [] : [...surfaces(parent), getComputedStyle(parent).backgroundColor]
    }
    return all
      .filter(
        (element) => element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 1
      )
      .flatMap((element) => {
        const { borderTopColor, stroke } = getComputedStyle(element)
        const around = ['white', ...surfaces(element)]
        const [outline, surface] = [
          luminance([...around, element instanceof SVGElement ? stroke : borderTopColor]),
          luminance(around)
        ]
        const contrast = (Math.max(outline, surface) + 0.05) / (Math.min(outline, surface) + 0.05)
        return contrast >= 3 ? [] : [`${contrast.toFixed(2)} ${element.outerHTML.slice(0, 120)}`]
      })
  })

/** Returns the visible elements that a finger of 44 px does not fit, with their sizes. */
export const smallTargets = (elements: Locator): Promise<string[]> =>
  elements.evaluateAll((all) =>
    all.flatMap((element) => {
      if (!element.checkVisibility({ visibilityProperty: true })) return []
      const { width, height } = element.getBoundingClientRect()
      return Math.min(width, height) >= 43.5 ? [] : [`${width} x ${height} ${element.textContent}`]
    })
  )

/** Returns the sides on which the ring of the focused element is cut off, with what cuts it. */
export const cutRing = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const focused = document.activeElement
    if (focused === null || focused === document.body) return []
    const ringOf = (pseudo?: string): number | null => {
      const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(focused, pseudo)
      return outlineStyle === 'none' ? null : parseFloat(outlineWidth) + parseFloat(outlineOffset)
    }
    // The title of a card has its ring around the card.
    const around = ringOf('::after')
    let ringed = focused
    while (around !== null && getComputedStyle(ringed).position === 'static' && ringed.parentElement !== null)
      ringed = ringed.parentElement
    const reach = around ?? ringOf()
    if (reach === null) return []
    const inner = ringed.getBoundingClientRect()
    const sides: string[] = []
    for (
      let element = around === null ? ringed.parentElement : ringed;
      element !== null && element !== document.body;
      element = element.parentElement
    ) {
      const { overflowX, overflowY, contentVisibility } = getComputedStyle(element)
      const outer = element.getBoundingClientRect()
      const left = outer.left + element.clientLeft
      const top = outer.top + element.clientTop
      const over = {
        left: left - inner.left + reach,
        right: inner.right + reach - left - element.clientWidth,
        top: top - inner.top + reach,
        bottom: inner.bottom + reach - top - element.clientHeight
      }
      const isClip = contentVisibility === 'auto'
      const fits = inner.width + 2 * reach <= element.clientWidth
      const checked = [
        ...(isClip || (overflowX === 'auto' ? fits : overflowX !== 'visible') ? (['left', 'right'] as const) : []),
        ...(isClip || overflowY !== 'visible' ? (['top', 'bottom'] as const) : [])
      ]
      const cut = checked.filter((side) => over[side] > 1.5)
      if (cut.length > 0) sides.push(`${cut.join(', ')} of ${focused.textContent} by ${element.outerHTML.slice(0, 80)}`)
    }
    return sides
  })
