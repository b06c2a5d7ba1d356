/** The formats that the server decodes. */
const pictureTypes = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'])
const pictureMaxBytes = 5 * 1024 * 1024

/** Returns the fault of a chosen picture, or null. The server checks the bytes; this only saves a useless upload. */
export function pictureFault(file: Pick<File, 'type' | 'size'>): 'register.imageType' | 'register.imageSize' | null {
  if (!pictureTypes.has(file.type)) return 'register.imageType'
  return file.size > pictureMaxBytes ? 'register.imageSize' : null
}
