/** The folder of the bundles. The bundler replaces this value; it is null when the sources run. */
export const ownBundleFolder: string | null = null
