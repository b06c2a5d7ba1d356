/** The folder of the bundled programs, written in when they are made; null in the sources. */
export const bundlesHere: string | null = null
