/**
 * `node cli.ts`: bundles the programs for a launcher that may not write beside them, such as a service. `--image` is for a
 * container image only: a checkout would start those bundles until `npm ci`, even after its sources change.
 */
import { resolve } from 'node:path'
import { systemClock } from '@batti/kit/clock'
import { bundleFolder, bundleFolderOfImage, makeBundles } from './bundles.ts'

const root = resolve(import.meta.dirname, '../../../..')
const isForImage = process.argv.includes('--image')
await makeBundles(
  { root, folder: isForImage ? bundleFolderOfImage(root) : bundleFolder(root) },
  new Date(systemClock.now())
)
