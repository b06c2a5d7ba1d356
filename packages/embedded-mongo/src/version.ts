/** The MongoDB release whose answers this engine gives, for drivers that decide by it. */
export const SERVER_VERSION = '8.0.4'
export const versionParts = [8, 0, 4, 0]
/** Wire version of MongoDB 8.0. */
export const MAX_WIRE_VERSION = 25
export const ENGINE_NAME = 'batti-embedded'
