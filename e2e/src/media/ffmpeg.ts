import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs ffmpeg. @throws a message if it is not installed, or its error output if it fails. */
export async function ffmpeg(args: readonly string[]): Promise<void> {
  try {
    await run('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-y', ...args])
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new Error('ffmpeg is needed to make pictures and the video: install it (Debian: apt-get install ffmpeg).', {
        cause: error
      })
    throw error
  }
}
