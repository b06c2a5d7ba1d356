/**
 * `node cli.ts`: bundles the programs for a container's image, where its launcher finds them. Nowhere else: a checkout would
 * start these from then on, whatever its sources say, until `npm ci`.
 */
import { resolve } from 'node:path'
import { systemClock } from '@batti/kit/clock'
import { bundleFolderOfImage, makeBundles } from './bundles.ts'

const root = resolve(import.meta.dirname, '../../../..')
await makeBundles({ root, folder: bundleFolderOfImage(root) }, new Date(systemClock.now()))
