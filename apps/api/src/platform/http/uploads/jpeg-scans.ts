const fill = 0xff
const endOfImage = 0xd9
const startOfScan = 0xda
/** Markers without a length field: an escaped 0xff, restart markers, and markers of arithmetic coders. */
const isBare = (marker: number): boolean => marker <= 1 || (marker >= 0xd0 && marker <= 0xd7)

/** Counts the scans of a JPEG as decoders do: from marker to marker, skipping the contents of segments. */
export function countScans(jpeg: Buffer): number {
  let scans = 0
  // Skips the two-byte start marker.
  let at = 2
  for (;;) {
    at = jpeg.indexOf(fill, at)
    if (at === -1) return scans
    while (jpeg[at] === fill) at += 1
    const marker = jpeg[at] ?? endOfImage
    at += 1
    if (marker === endOfImage) return scans
    if (isBare(marker)) continue
    if (marker === startOfScan) scans += 1
    at += at + 2 > jpeg.length ? 2 : jpeg.readUInt16BE(at)
  }
}
