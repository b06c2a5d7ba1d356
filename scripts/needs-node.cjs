/**
 * Preloaded before our programs. Plain JavaScript, because the machine's Node may be too old to strip types: `npm run` uses
 * it when the package `node` is missing (which has no build for macOS).
 */
'use strict'

const least = 24
const { execPath, platform, arch, versions } = process

if (Number(versions.node.split('.')[0]) < least) {
  process.stderr.write(`Batti needs Node ${least} or newer, and this is Node ${versions.node} (${execPath}).
\`npm install\` brings one where there is a package for it (Linux x64 and arm64, Windows x64): run it again, with a network.
Elsewhere (this is ${platform} ${arch}) install one from https://nodejs.org, on a Mac also by \`brew install node\`.
`)
  process.exit(1)
}

// Cache the compiled code: stripping types again costs a tenth of a second per start.
require('node:module').enableCompileCache(require('node:path').join(__dirname, '../node_modules/.cache/node'))
