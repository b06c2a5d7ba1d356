import type { Plugin } from 'vite'

/** What a package carries for others than us, by the end of the module's path: the pattern goes, and must be there to go. */
const leftOut: readonly { module: RegExp; parts: readonly [pattern: RegExp, instead: string][] }[] = [
  {
    // Schemas as JSON Schema: `npm run generate` writes the reference with it, no browser does. A tenth of the package.
    module: /\/zod\/v4\/classic\/schemas\.js$/,
    parts: [
      [/^\s*inst\._zod\.processJSONSchema = .*$/gm, ''],
      [/return createToJSONSchemaMethod\(this, \{\}\)\(params\);/g, "throw new Error('left out of the build');"],
      [/^\s*(?:input|output): createStandardJSONSchemaMethod\(this, "\w+"\),$/gm, '']
    ]
  }
]

/** Leaves parts of packages out of the build. A package that has changed there stops it, so that nobody believes in vain. */
export function leanPackages(): Plugin {
  return {
    name: 'lean-packages',
    apply: 'build',
    transform: {
      order: 'pre',
      handler(code, id) {
        const found = leftOut.find(({ module }) => module.test(id))
        if (found === undefined) return null
        return found.parts.reduce((text, [pattern, instead]) => {
          if (text.search(pattern) < 0)
            this.error(`${id} has no ${pattern} any more: look what build/lean-packages.ts leaves out`)
          return text.replaceAll(pattern, instead)
        }, code)
      }
    }
  }
}
