import type { Plugin } from 'vite'

/** Unused parts of packages, by the end of the module's path. Each pattern is replaced, and must match at least once. */
const leftOut: readonly { module: RegExp; parts: readonly [pattern: RegExp, instead: string][] }[] = [
  {
    // JSON Schema output and what reads bounds back from a schema, a tenth of the package: only `npm run generate` needs
    // them, for the reference; no browser does. What a browser parses comes from JSON or a form, which have no cycles.
    module: /\/zod\/v4\/classic\/schemas\.js$/,
    parts: [
      [/^\s*inst\._zod\.processJSONSchema = .*$/gm, ''],
      [/return createToJSONSchemaMethod\(this, \{\}\)\(params\);/g, "throw new Error('left out of the build');"],
      [/^\s*(?:input|output): createStandardJSONSchemaMethod\(this, "\w+"\),$/gm, ''],
      [/processors\.aggregateChecks\(inst\)/g, "(() => { throw new Error('left out of the build'); })()"],
      [/core\.config\(\{ memoizer: core\.memoizer\(\) \}\)/g, '{}']
    ]
  }
]

/** Removes unused parts of packages from the build. Fails the build when a pattern no longer matches the package. */
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
