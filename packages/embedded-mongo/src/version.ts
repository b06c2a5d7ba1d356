/** The MongoDB version that this engine reports, on which drivers base decisions. */
export const SERVER_VERSION = '8.0.4'
export const versionParts = [8, 0, 4, 0]
/** Wire version of MongoDB 8.0. */
export const MAX_WIRE_VERSION = 25
export const ENGINE_NAME = 'batti-embedded'
