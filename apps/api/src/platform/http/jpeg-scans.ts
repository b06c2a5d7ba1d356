const fill = 0xff
const endOfImage = 0xd9
const startOfScan = 0xda
/** Nothing follows it that says how long it is: an escaped 0xff, where decoding begins anew, what arithmetic coders use. */
const isBare = (marker: number): boolean => marker <= 1 || (marker >= 0xd0 && marker <= 0xd7)

/** How many scans a JPEG has, found as decoders find them: from marker to marker, without what segments hold. */
export function countScans(jpeg: Buffer): number {
  let scans = 0
  // After the two bytes that it begins with.
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
