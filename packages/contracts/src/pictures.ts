/** The largest picture that people may upload, in bytes. */
export const pictureMaxBytes = 5 * 1024 * 1024
/** The formats that are decoded. Not AVIF: what a small file of it costs is not known before it is decoded. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const
