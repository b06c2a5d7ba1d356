/**
 * Loaded before a program of ours by whatever Node there is, also by one that cannot read types: hence plain JavaScript.
 * Without the package `node` (it has no build for macOS) `npm run` takes the Node of the machine.
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

// What this Node makes of our TypeScript is kept: to read types anew takes a start a tenth of a second.
require('node:module').enableCompileCache(require('node:path').join(__dirname, '../node_modules/.cache/node'))
