import { create } from 'qrcode'
import { useMemo } from 'react'

/** A QR code as one SVG path, black on white in both themes: readers want that contrast. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { modules } = create(text, { errorCorrectionLevel: 'M' })
    const cells: string[] = []
    modules.data.forEach((isDark, index) => {
      if (isDark) cells.push(`M${index % modules.size} ${Math.floor(index / modules.size)}h1v1h-1z`)
    })
    return { size: modules.size, path: cells.join('') }
  }, [text])
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn here, so that no image has to be loaded
    <svg
      viewBox={`-3 -3 ${size + 6} ${size + 6}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className="size-36 shrink-0 rounded-xl"
    >
      <rect x="-3" y="-3" width={size + 6} height={size + 6} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
