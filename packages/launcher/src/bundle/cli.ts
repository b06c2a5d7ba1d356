/** `node cli.ts`: bundles the programs for a container's image, where its launcher finds them. */
import { resolve } from 'node:path'
import { systemClock } from '@batti/kit/clock'
import { bundleFolderOfImage, makeBundles } from './bundles.ts'

const root = resolve(import.meta.dirname, '../../../..')
await makeBundles({ root, folder: bundleFolderOfImage(root) }, new Date(systemClock.now()))
