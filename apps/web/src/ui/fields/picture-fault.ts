import { pictureMaxBytes, pictureTypes } from '@batti/contracts/pictures'

/** Returns the fault of a chosen picture, or null. The server checks the bytes; this only saves a useless upload. */
export function pictureFault(file: Pick<File, 'type' | 'size'>): 'register.imageType' | 'register.imageSize' | null {
  if (file.size === 0 || !pictureTypes.some((type) => type === file.type)) return 'register.imageType'
  return file.size > pictureMaxBytes ? 'register.imageSize' : null
}
