/**
 * Preloaded before our programs, to refuse what they cannot run on or without. Plain JavaScript, because the machine's Node may be too
 * old to strip types: `npm run` uses it when the package `node` is missing (which has no build for macOS).
 */
'use strict'

const { existsSync, readdirSync } = require('node:fs')
const { dirname, join } = require('node:path')

const least = 24
const { execPath, platform, arch, versions } = process
const root = dirname(__dirname)

// Node, npm and the builder of the web app read these as part of an address, a pattern or a list of folders.
const misread = (platform === 'win32' ? /#/ : /[#?*:\\]/).exec(root)
if (misread !== null) {
  process.stderr
    .write(`Batti cannot run in ${root}, because tools that it needs misread the "${misread[0]}" in this path.
Move it to a folder whose path has none of # ? * : \\ and run this again.
`)
  process.exit(1)
}

if (Number(versions.node.split('.')[0]) < least) {
  const brought = join(root, 'node_modules/node')
  const hasNotRun = existsSync(join(brought, 'package.json')) && !existsSync(join(brought, 'bin'))
  const advice = hasNotRun
    ? `The package \`node\` brings one by a script, which npm has not run: run npm install again, and where npm is set to ignore
scripts (\`ignore-scripts\`), npm rebuild node --ignore-scripts=false`
    : `\`npm install\` brings one where there is a package for it (Linux x64 and arm64, Windows x64): run it again, with a network.
Elsewhere (this is ${platform} ${arch}) install one from https://nodejs.org, on a Mac also by \`brew install node\`.`
  process.stderr.write(
    `Batti needs Node ${least} or newer, and this is Node ${versions.node} (${execPath}).\n${advice}\n`
  )
  process.exit(1)
}

if (!existsSync(join(root, 'node_modules/@batti/kit'))) {
  process.stderr.write(
    `The packages of Batti are not installed in ${root}: run npm install there, and then this again.\n`
  )
  process.exit(1)
}

// What builds the web app stands for all packages with a native part.
const packages = join(root, 'node_modules')
if (
  existsSync(join(packages, 'rolldown')) &&
  !readdirSync(join(packages, '@rolldown')).some((name) => name.startsWith('binding-'))
) {
  const [, npmsNode] = / node\/v([\d.]+)/.exec(process.env.npm_config_user_agent ?? '') ?? []
  const here = npmsNode === undefined ? '' : ` (here npm runs on ${npmsNode})`
  process.stderr.write(
    `The packages of Batti are not complete in ${root}: npm leaves out their native parts when it runs on a
Node older than 20.20${here}, or with \`--omit=optional\`. Install a newer Node from https://nodejs.org, run npm install there
again, and then this.
`
  )
  process.exit(1)
}

// Cache the compiled code: stripping types again costs a tenth of a second per start.
require('node:module').enableCompileCache(join(root, 'node_modules/.cache/node'))
