import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { ffmpeg } from './ffmpeg.ts'

interface Frame {
  file: string
  atS: number
}

/**
 * Records a page with Chromium's screencast: a frame with its time whenever something changes. `save` writes a WebM at
 * 12 frames a second and returns its length. `nowS`: seconds since the first frame.
 */
export async function startScreencast(page: Page) {
  const folder = await mkdtemp(join(tmpdir(), 'batti-cast-'))
  const cdp = await page.context().newCDPSession(page)
  const frames: Frame[] = []
  const writes: Promise<void>[] = []
  cdp.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    const file = join(folder, `${String(frames.length).padStart(5, '0')}.jpg`)
    frames.push({ file, atS: metadata.timestamp ?? 0 })
    writes.push(writeFile(file, Buffer.from(data, 'base64')))
    void cdp.send('Page.screencastFrameAck', { sessionId }).catch(() => {})
  })
  await cdp.send('Page.startScreencast', { format: 'jpeg', quality: 90, maxWidth: 1280, maxHeight: 720 })

  const startS = () => frames[0]?.atS ?? Date.now() / 1000
  return {
    nowS: (): number => Math.max(0, Date.now() / 1000 - startS()),
    async save(video: string, poster: string, posterAtS: number): Promise<number> {
      await cdp.send('Page.stopScreencast')
      await Promise.all(writes)
      // Shows the last frame for two seconds, so that the end can be seen.
      const lines = frames.flatMap(({ file, atS }, index) => [
        `file '${file}'`,
        `duration ${((frames[index + 1]?.atS ?? atS + 2) - atS).toFixed(3)}`
      ])
      const list = join(folder, 'frames.txt')
      await writeFile(list, [...lines, `file '${frames.at(-1)?.file ?? ''}'`].join('\n'))
      const input = ['-f', 'concat', '-safe', '0', '-i', list]
      const codec = ['-c:v', 'libvpx-vp9', '-b:v', '0', '-crf', '40', '-cpu-used', '4', '-row-mt', '1']
      await ffmpeg([...input, '-vf', 'fps=12,format=yuv420p', ...codec, '-an', video])
      await ffmpeg(['-ss', String(posterAtS), '-i', video, '-frames:v', '1', '-q:v', '4', poster])
      await rm(folder, { recursive: true, force: true })
      return (frames.at(-1)?.atS ?? startS()) + 2 - startS()
    }
  }
}
