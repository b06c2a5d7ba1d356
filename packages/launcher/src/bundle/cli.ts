/**
 * `node cli.ts`: bundles the programs for a launcher that may not write beside them, as a service. With `--image`, for a
 * container's image. Nowhere else: a checkout would start those from then on, whatever its sources say, until `npm ci`.
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
