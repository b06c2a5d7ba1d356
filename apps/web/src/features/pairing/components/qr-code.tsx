import { create } from 'qrcode'
import { useMemo } from 'react'

/** A QR code, black on white in both themes, because scanners need that contrast. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const source = useMemo(() => {
    const { modules } = create(text, { errorCorrectionLevel: 'M' })
    const { size } = modules
    const cells: string[] = []
    modules.data.forEach((isDark, index) => {
      if (isDark) cells.push(`M${index % size} ${Math.floor(index / size)}h1v1h-1z`)
    })
    const box = `-3 -3 ${size + 6} ${size + 6}`
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" shape-rendering="crispEdges"><path fill="#fff" d="M-3-3h${size + 6}v${size + 6}h-${size + 6}z"/><path d="${cells.join('')}"/></svg>`
    return `data:image/svg+xml,${encodeURIComponent(drawing)}`
  }, [text])
  return <img src={source} alt={label} className="size-36 shrink-0 rounded-xl" />
}
