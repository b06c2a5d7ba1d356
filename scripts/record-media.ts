/**
 * Records the media of the public pages from the running product: the pictures of `/` and the setup video of `/support`, in
 * apps/web/public/media. Starts its own demo home, with free ports and an empty folder.
 */
import { mkdtemp, copyFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takeAppPictures } from '../e2e/src/media/app-pictures.ts'
import { recordSetupVideo } from '../e2e/src/media/setup-video.ts'
import { openBrowser } from '../e2e/src/open-browser.ts'
import { startProduct } from '../packages/launcher/src/testing/start-product.ts'

const target = join(import.meta.dirname, '../apps/web/public/media')
const folder = await mkdtemp(join(tmpdir(), 'batti-media-'))
const [product, browser] = await Promise.all([startProduct(), openBrowser()])
try {
  await takeAppPictures(browser, product, folder)
  await recordSetupVideo(browser, product, folder)
  const made = (await readdir(folder)).filter((name) => /\.(webp|webm|vtt|jpg)$/.test(name))
  for (const name of made) await copyFile(join(folder, name), join(target, name))
  console.log(`Wrote ${made.join(', ')}`)
} finally {
  await browser.close()
  await product.stop()
  await rm(folder, { recursive: true, force: true })
}
