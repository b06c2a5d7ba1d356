/// <reference lib="dom" />
import type { Locator } from 'playwright-core'

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
