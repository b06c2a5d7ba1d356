import { openFilesMax } from '@batti/kit/node/open-files'
import { LaunchError } from '../launch-error.ts'

/** The build of the web app opens the most at once, and ends with the stack of its tool when it may not. */
const least = 256

/** @throws LaunchError where a program may open too few files. */
export function refuseFewFiles(files = openFilesMax()): void {
  if (files !== undefined && files < least)
    throw new LaunchError(
      `A program may open only ${files} files here, and Batti needs ${least}. Type ulimit -n 1024 in this shell, and start Batti again.`
    )
}
