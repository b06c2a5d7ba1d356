const svg = 'http://www.w3.org/2000/svg'

/** Creates an SVG of lines in the text colour, which screen readers ignore. */
export function lines(viewBox, ...paths) {
  const icon = document.createElementNS(svg, 'svg')
  icon.setAttribute('viewBox', viewBox)
  icon.setAttribute('aria-hidden', 'true')
  for (const d of paths) {
    const path = document.createElementNS(svg, 'path')
    path.setAttribute('d', d)
    icon.append(path)
  }
  return icon
}

export const dots = () => lines('0 0 24 24', 'M5 12h.01', 'M12 12h.01', 'M19 12h.01')
export const plug = () => lines('0 0 24 24', 'M9 3v5', 'M15 3v5', 'M6 8h12v4a6 6 0 0 1-12 0z', 'M12 18v3')
export const arrow = () => lines('0 0 24 24', 'M7 17 17 7', 'M8 7h9v9')
export const bulb = () =>
  lines('0 0 48 48', 'M19 34h10', 'M20 40h8', 'M18 28a10 10 0 1 1 12 0c-1 1-2 3-2 6h-8c0-3-1-5-2-6z')
export const blades = () =>
  lines(
    '0 0 48 48',
    'M24 24C21 15 22 6 28 6s8 9-4 18z',
    'M24 24c9-3 18-2 18 4s-9 8-18-4z',
    'M24 24c3 9 2 18-4 18s-8-9 4-18z',
    'M24 24c-9 3-18 2-18-4s9-8 18 4z'
  )

/** Creates a dial from seven to five o'clock, which a value of 0..1 fills. */
export function dial() {
  const icon = lines('0 0 100 100', 'M21.7 78.3A40 40 0 1 1 78.3 78.3', 'M21.7 78.3A40 40 0 1 1 78.3 78.3')
  icon.classList.add('dial')
  const fill = icon.lastElementChild
  fill.setAttribute('pathLength', '100')
  return { icon, fillTo: (value) => fill.setAttribute('stroke-dasharray', `${Math.round(value * 100)} 200`) }
}
